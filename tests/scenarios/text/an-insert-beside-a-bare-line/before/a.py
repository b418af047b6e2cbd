def f(items):
    for x in items:
        a(x)


def g():
    # charge the card
    return 1
