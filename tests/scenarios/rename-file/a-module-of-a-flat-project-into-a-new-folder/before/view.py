from model import V


def f():
    return V
