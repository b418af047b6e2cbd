import pkg
from pkg import fetch

fetch("x")
pkg.fetch("y")
pkg.core.fetch("z")
