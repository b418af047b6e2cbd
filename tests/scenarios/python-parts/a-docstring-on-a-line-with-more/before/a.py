def f(): "Says one."


class A: "Is one."


def g(): "Says one."; return 1


def h():
    "Says one."; return 1


def i():
    "Says one."  # noqa: D400
    return 1


def j(): "Says one."
