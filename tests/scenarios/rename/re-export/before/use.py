import pkg
from pkg import load

load("x")
pkg.load("y")
pkg.core.load("z")
