package a;

import b.C;

class Z {}

class A {}
