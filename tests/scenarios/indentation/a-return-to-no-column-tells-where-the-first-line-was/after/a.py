class A:
    def f(self):
        for i in a:
            x = 5
        return x


def g():
    while q:
        z()
    y()
    for i in a:
        x = 1
    return 2 * x
