from ..util import U
from .new import K


def f():
    return K + U
