def f():
    a()
    b()


class A:
    def m(self):
        return 1
