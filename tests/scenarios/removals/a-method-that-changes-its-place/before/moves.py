class A:
    def keep(self):
        return 1

    def goes(self):
        one = 1
        two = 2
        return one + two

    def becomes_free(self, value):
        one = value + 1
        two = value + 2
        return one + two
