class A:
    def k(self):
        pass

    def m(self):
        return 1
