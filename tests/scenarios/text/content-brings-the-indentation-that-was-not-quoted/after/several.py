def f(x):
    if x:
        y = 1

    z = 3
    return z + 1
