def f():
    if c:
        a()
    new()
    n2()
    b()
