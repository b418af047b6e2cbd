def f(c):
    if c:
        a()
    new()
    n2()
