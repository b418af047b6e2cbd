from .c import f
from .b import g
