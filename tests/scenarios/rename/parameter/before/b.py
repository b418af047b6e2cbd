from a import f as g


def h(rate):
    return g("x", rate=rate), dict(rate=3)


h(rate=2)
