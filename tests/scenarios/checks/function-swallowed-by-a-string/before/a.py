TEXT = "one"


def second():
    return 2


LAST = "three"
