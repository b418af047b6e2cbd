def add(one, other):
    """Adds."""
    if one:
        return one + other
    return other

def mul(one, other):
    return one * other

def sub(one, other):
    return one - other
