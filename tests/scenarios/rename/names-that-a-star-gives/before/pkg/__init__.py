from .b import *
from .a import *
