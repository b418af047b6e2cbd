def min_set(values):
    """Return the least values."""
    found = sorted(values)
    return set(found)
