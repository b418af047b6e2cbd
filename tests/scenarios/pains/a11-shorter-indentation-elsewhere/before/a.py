def a():
    if x:
        return compute(1)


def b():
    return compute(1)
