import functools


class A:
    def f(self):
        return 1


@functools.cache
def n():
    return 0


def k():
    return 3
