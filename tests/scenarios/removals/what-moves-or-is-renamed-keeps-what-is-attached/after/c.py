class Renamed:
    """Is kept."""

    def one(self):
        return 1

    def two(self):
        return 2
