__all__ = ["f", "h"]


def h():
    return 3


def f():
    return 1
