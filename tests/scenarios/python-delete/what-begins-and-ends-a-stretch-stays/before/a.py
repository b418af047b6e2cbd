# fmt: off
M = [1,  0]
# fmt: on
def f():
    return 1


def g():
    return 2
