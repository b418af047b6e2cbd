import json

from .b import h


def f(x):
    return h(x)


# Written down.
@staticmethod
def g(x):
    return json.dumps(f(x))


def i():
    return 1
