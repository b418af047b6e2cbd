from helpers import V


def f():
    return V
