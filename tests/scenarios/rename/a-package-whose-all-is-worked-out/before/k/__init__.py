from .a import *
from .b import *

__all__ = list(a.__all__) + list(b.__all__)
