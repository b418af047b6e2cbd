class A:
    x = 1

    @property
    def p(self):
        return 1
