X = 3  # type: ignore
Y = [
    2,
]  # noqa
Z = 2  # new


def f():
    """Doc."""

    return 2


def g():
    """Only."""
    return 3


class A:
    """New."""
    x = 2
