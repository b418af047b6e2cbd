class A:
    @property
    def a(self):
        return 1
