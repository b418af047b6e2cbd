def top(a, b=None):  # noqa: ARG001
    return a


class A:
    def m(
        self,  # don't
        x="#:",
    ):  # new
        return 1

    @cached
    def p(self):  # type: ignore[override]
        return 2
