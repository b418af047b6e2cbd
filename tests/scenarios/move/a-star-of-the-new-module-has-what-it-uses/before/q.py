def helper():
    return 5
