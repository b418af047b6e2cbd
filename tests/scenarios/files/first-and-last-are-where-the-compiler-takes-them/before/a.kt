package a

import b.C

class A
