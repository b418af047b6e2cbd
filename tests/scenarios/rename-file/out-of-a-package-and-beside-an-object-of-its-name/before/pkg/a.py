from .c import Y
from . import c

X = Y + c.Y
