import functools


# Slow the first time.
@functools.cache
def load(path):
    return path
