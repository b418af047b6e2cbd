using System;
using X;

namespace A;

class Z {}

class B {}
