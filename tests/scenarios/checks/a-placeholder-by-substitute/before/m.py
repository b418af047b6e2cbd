def f(x):
    a()
    b()
    c()
    return x
