def f(path, speed=1):
    """Reads path at this rate."""
    return path * speed
