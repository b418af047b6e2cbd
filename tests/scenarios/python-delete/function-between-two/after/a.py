def first():
    return 1


def third():
    return 3
