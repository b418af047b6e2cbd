import functools


# Slow the first time.
@functools.lru_cache(maxsize=8)
def load(path):
    return path + "!"
