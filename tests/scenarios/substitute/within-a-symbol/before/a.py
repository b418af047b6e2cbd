def first(x):
    return x + x


def second(x):
    return x + x
