from . import tools
from .cfg import X
