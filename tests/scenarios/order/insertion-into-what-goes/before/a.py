class Z:
    x = 1


class A:
    def f(self):
        return 1
