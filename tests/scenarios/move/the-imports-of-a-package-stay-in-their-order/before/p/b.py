from . import f


def g():
    return f()
