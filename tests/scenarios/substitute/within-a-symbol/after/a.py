def first(x):
    return x + x


def second(y):
    return y + y
