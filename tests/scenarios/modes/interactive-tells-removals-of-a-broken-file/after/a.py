class A:
    def f(self):
        return 1


X = (1
