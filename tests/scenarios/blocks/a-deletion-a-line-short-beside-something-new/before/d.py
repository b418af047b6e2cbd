class A:
    def f(self):
        g()


class B:
    secret = 1

    def m(self):
        n()
