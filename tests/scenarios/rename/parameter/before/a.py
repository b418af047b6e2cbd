def f(path, rate=1):
    """Reads path at this rate."""
    return path * rate
