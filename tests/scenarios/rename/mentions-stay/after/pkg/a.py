def post(o):
    """
    >>> send(1)
    1
    """
    # send it
    return getattr(o, "send", o)
