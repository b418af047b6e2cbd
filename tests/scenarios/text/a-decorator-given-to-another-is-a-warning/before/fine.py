class A:
    @property
    def a(self):
        return 1

    @property
    def b(self):
        return 2
