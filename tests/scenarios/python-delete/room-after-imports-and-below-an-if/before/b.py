if x:

    def f():
        pass

    def g():
        pass
