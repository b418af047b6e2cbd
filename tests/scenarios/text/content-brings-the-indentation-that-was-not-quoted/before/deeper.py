def f(c):
    if c:
        a()
    old()
