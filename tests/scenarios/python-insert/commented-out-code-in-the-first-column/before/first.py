class A:
#    old = 1
    x = 1

    def f(self):
        return 1
