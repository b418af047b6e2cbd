class A:
    def f(self):
        return 1

    def h(self):
        return 3

    def g(self):
        return 22
