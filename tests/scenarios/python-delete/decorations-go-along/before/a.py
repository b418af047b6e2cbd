import functools


# Words about load.
# More words.
@functools.cache
def load(path):
    return path
    # its last words


def save(path):
    return path
