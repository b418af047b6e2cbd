def top(a, b):
    return a


class A:
    def m(self):  # old
        return 1

    @property
    def p(self):
        return 2
