LIMIT = 1


def run(:
    return 1
