LIMIT = 2


def run(:
    return 1
