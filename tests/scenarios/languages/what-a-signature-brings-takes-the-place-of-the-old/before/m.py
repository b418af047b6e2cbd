class A:
    @property
    def p(self):
        return 1

    # note
    @cached
    def q(self):
        return 2


def w():
    return 3
