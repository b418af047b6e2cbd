def f(y):
    for x in y:
        if x:
            go(x)
    return 0
