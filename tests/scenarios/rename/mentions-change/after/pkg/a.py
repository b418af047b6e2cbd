def post(o):
    """
    >>> post(1)
    1
    """
    # post it
    return getattr(o, "post", o)
