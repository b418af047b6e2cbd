class Kept:
    """Is kept."""

    @cached
    def one(self):
        """Is one."""
        return 1

    def two(self):
        """Is two."""
        return 2
