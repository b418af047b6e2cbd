def f(a, b):
    if a:
        x()
        y()
