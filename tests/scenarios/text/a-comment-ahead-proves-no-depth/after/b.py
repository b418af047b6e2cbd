def f():
    if c:
        a()
    # note
    new()
    b()
