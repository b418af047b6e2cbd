def f(y):
    for x in y:
        if x:
            go(x)
        log(x)
    return 0
