import os


def h(x):
    return os.fspath(x)
