LEAST = 0
LIMIT = 2


def run():
    return LIMIT
