def f(a, b=0):
    return a, b


def g(a, b=0):
    return a, b


print(f(g(1, 5), 7), g(4, f(1, 5)))
