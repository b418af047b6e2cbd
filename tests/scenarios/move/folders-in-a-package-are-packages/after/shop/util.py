from shop.core.c import g

U = 1


def h():
    return g()
