import functools


def first():
    return 1


# Words about last.
@functools.cache
def last():
    return 3
