class A:
    def f(self):
        return 2


class B:
    def f(self):
        return 2

    def g(self): ...


z = 10
y = z
# z, w
