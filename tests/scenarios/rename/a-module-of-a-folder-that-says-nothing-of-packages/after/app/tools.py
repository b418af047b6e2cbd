from . import cfg as q
from .cfg import LIMIT


def tool(s):
    return s + q.LIMIT + LIMIT
