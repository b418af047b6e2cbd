def f():
    a2()


def g():
    b()
