class A:
    def f(self):
        for i in a:
            x = 1
        return x


def g():
    for i in a:
        x = 1
    return x
