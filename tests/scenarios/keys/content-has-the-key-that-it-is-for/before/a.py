class A:
    def b(self):
        return 2
