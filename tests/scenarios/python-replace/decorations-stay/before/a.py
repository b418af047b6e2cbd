import functools


# Slow the first time.
@functools.cache
def load(path):
    return open(path).read()
