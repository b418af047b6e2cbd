__all__ = ["fetch"]


def fetch(path):
    return path
