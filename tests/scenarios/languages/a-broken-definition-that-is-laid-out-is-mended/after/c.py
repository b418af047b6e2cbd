def g():
    if x:
        return ""


def h():
    return 3
