class A:
    def g(self):
        return self.f(1, len(2)

    def h(self):
        return 2


def k():
    return 5
