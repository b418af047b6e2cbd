class A:
    def load(self):
        one = 1
        two = 2
        return one + two

    def other(self):
        return 3
