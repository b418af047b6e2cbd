LIM = 1


def f(x):
    return LIM - x
