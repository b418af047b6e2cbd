def a():
    if x:
        return 1


def b():
    return 1
