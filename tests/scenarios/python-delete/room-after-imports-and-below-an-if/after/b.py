if x:

    def g():
        pass
