import functools


# Slow the first time.
@functools.cache
def load(path):
    with open(path) as file:
        return file.read()
