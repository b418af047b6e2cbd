def f():
    a()
    if b:
        return 1
    log()


def g():
    raise E
    yield
