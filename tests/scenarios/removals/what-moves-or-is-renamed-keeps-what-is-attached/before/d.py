@register
class Big:
    """Is big."""

    def first(self):
        """Is the first."""
        return 1
