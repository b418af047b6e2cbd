def f():
    a()
    if b:
        return 1


def g():
    raise E
