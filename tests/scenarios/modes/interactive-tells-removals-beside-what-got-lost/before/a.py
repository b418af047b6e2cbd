import functools


class A:
    def f(self):
        return 1

    def g(self):
        return 2


@functools.cache
def k():
    return 3
