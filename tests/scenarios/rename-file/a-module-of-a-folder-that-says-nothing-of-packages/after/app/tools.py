from . import conf as q
from .conf import X


def tool(s):
    return s + q.X + X
