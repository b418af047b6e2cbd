from .a import g
from .b import h
