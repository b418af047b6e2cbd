TIMEOUT = 3


def get():
    return TIMEOUT
