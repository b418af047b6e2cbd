import xml


def other():
    return xml.__name__
