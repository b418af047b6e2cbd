def f(:
    # now
    a()
