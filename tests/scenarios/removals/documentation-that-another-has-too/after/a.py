def a(x):
    return 2 * x


def b(x):
    """Return it."""
    return x
