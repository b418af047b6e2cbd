X = 1  # type: ignore
Y = [
    1,
]  # noqa
Z = 1  # old


def f():
    """Doc."""

    return 1  # one


def g():
    """Only."""


class A:
    """A.

    More.
    """

    x = 1
