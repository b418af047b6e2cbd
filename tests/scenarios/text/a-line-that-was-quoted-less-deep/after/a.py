def f(xs):
    for x in xs:
        if x:
            a(x)
    return 1
