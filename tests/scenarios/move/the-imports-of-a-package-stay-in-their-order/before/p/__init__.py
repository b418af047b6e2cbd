from .a import f
from .b import g
