def helper():
    return 6
