class Other:
    """Is other."""

    @cached
    def first(self):
        """Is the first."""
        return 1

    @property
    def last(self):
        return 2


def single(a):
    """Is alone."""
    a = a + 1
    return a
