from json import dumps


def f():
    return 1
