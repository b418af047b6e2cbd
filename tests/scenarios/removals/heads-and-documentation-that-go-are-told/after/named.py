"""Names."""


def name(of):
    return of.name
