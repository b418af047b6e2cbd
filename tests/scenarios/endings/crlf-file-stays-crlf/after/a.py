def first():
    x = 1
    return x


def second():
    return 2


def third():
    return 3
