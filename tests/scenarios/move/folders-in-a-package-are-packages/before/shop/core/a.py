from ..util import U

K = 3


def f():
    return K + U
