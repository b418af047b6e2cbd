def f():
    if c:
        a()
    old()
    b()
