def f(xs):
    for x in xs:
        a(x)
    return 1
