class A:
    limit = 1

    #: How long it takes.
    time = 2
    other = 3
