def load(path, mode="r", *, encoding=None):
    """Loads `path`."""
    return path, mode, encoding


def all_of(paths):
    return [load(path, "b") for path in paths]
