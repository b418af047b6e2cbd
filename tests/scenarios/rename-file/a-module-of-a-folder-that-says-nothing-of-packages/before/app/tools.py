from . import cfg as q
from .cfg import X


def tool(s):
    return s + q.X + X
