class B:
    def f(self):
        self.x = 1
        return 2
