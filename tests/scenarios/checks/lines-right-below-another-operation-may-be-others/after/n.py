def g():
    return 3


B = 2
A = 1
