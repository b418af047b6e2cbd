import functools


# Words about last.
@functools.cache
def last():
    return 3
