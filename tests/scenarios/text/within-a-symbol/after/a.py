def first():
    total = 0
    return total


def second():
    total = 1
    return total
