class Bigger:
    """Is big."""

    def first(self):
        """Is the first."""
        return 1
