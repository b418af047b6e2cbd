def f():
    if z:
        a()
        b()
        c()
    return 2
