def a(x):
    """Return it."""
    return x


def b(x):
    """Return it."""
    return x
