class Other:
    """Is other."""

    @cached
    def first(self):
        """Is the first."""
        return 1

    @property
    @cached
    def second(self):
        return 2


@logged
def alone(a):
    """Is alone."""
    a = a + 1
    return a
