class A:
    def a(self): pass

    def b(self): pass


def f(): pass
