# fmt: off
M = [1,  0]
# fmt: on


def g():
    return 2
