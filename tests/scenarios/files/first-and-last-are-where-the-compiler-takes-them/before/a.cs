using System;
using X;

namespace A;

class B {}
