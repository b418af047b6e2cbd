X = load()  # type: ignore


def f():
    return x  # noqa: F821


def g():
    return y  # noqa: F821


def h():
    return z  # noqa: F821
