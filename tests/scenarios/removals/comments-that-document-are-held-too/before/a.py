class A:
    #: How many there are.
    #: At most.
    limit = 1

    #: How long.
    time = 2
    # Not documentation.
    other = 3
