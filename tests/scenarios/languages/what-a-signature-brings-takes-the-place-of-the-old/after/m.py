class A:
    @property
    def p(self) -> int:
        return 1

    # note
    @other(
        1,
    )
    def q(self) -> int:
        return 2


# about w
@deco
def w(x):
    return 3
