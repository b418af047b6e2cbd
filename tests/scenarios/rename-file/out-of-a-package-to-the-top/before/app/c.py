from .b import V


def h():
    return V
