from a import f as g


def h(rate):
    return g("x", speed=rate), dict(rate=3)


h(rate=2)
