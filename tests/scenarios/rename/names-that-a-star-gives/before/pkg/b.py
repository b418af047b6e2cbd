def helper():
    return "b"
