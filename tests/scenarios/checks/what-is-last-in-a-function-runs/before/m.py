def f():
    a()
    return 1


def g():
    raise E
