__all__ = ["fetch"]


def fetch():
    return 1
