LIMIT = 1


def last():
    return 1
