import functools


@route("/a")
@login_required
def a():
    return 1


@route("/b")
@login_required
def b():
    return 2


@functools.cache
def c():
    return 3
