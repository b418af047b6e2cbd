"""Names."""


def name(of):
    """Returns a name."""
    return of.name
