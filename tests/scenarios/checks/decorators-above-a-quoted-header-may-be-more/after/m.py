@a
@b
def f(x):
    return 1


@a
@b
def g():
    return 2


@a
def h():
    return 3
