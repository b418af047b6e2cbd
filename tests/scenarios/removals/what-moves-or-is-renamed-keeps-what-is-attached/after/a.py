class P:
    """Holds."""

    def rest(self):
        return 1


class Q:
    """Takes."""

    def other(self):
        return 2

    def work(self, a):
        a = a + 1
        b = a * 2
        return a, b


def free(a):
    """Frees."""
    a.free()
    return a
