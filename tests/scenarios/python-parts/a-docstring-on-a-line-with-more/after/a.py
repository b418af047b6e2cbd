def f():
    "Says one."
    return 2


class A:
    "Is one."
    x = 2


def g():
    "Says one."
    x = 2
    return x


def h():
    "Says one."
    return 2


def i():
    "Says one."  # noqa: D400
    return 2


def j(): "Says two."
