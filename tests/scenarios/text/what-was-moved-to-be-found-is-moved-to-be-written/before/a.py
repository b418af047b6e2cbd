def f():
    if z:
        a()
        c()
    return 2
