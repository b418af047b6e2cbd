class Base:
    pass


def other():
    return 1
