from q import helper


def go():
    return helper()
