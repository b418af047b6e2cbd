class P:
    """Holds."""

    @cached
    def work(self, a):
        """Works."""
        a = a + 1
        b = a * 2
        return a, b

    @staticmethod
    def free(a):
        """Frees."""
        a.free()
        return a

    def rest(self):
        return 1


class Q:
    """Takes."""

    def other(self):
        return 2
