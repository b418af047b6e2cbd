__all__ = ["f", "g"]


def f():
    return 1


def g():
    return 2
