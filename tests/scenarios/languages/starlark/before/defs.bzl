def add(one, other):
    """Adds."""
    return one + other

def sub(one, other):
    return one - other
