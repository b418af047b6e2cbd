class A:
    @staticmethod
    def f(x):
        return 1
