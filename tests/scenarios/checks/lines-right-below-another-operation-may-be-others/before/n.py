def f():
    return 1


def g():
    return 2


A = 1
B = 2
