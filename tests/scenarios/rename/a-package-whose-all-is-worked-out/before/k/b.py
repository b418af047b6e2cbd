__all__ = ("save",)


def save():
    return 2
