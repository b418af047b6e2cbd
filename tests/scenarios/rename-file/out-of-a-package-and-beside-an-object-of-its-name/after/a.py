from pkg.c import Y
from pkg import c

X = Y + c.Y
