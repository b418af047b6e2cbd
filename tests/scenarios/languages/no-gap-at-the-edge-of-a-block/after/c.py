class A:
    def b(self): pass


def f(): pass
