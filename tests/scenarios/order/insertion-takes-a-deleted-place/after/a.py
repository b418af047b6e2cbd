def first():
    return 1


def other():
    return 4


def third():
    return 3
