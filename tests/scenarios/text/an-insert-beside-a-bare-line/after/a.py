def f(items):
    for x in items:
        a(x)
        log(x)


def g():
    # charge the card
    charge()
    return 1  # one
