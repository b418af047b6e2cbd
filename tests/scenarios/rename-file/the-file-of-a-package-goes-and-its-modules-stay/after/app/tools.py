from . import cfg as c


def tool(s):
    return s + c.X
