class A:
#    old = 1
    w = 0
    x = 1

    def f(self):
        return 1
