def f(a, n, b=0):
    return a, b


def g(a, n, b=0):
    return a, b


print(f(g(1, 2, 5), 1, 7), g(4, 2, f(1, 1, 5)))
