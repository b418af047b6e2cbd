def f():
    a()
    b()
