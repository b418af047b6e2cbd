@a
def f():
    return 1


@a
def g():
    return 2


h = 3
