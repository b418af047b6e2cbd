LIMIT = 1


def run():
    return LIMIT
