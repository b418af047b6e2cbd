import functools


@route("/a", methods=["POST"])
def a():
    return 1


def b():
    return 2


@functools.lru_cache(maxsize=8)
def c():
    return 3
