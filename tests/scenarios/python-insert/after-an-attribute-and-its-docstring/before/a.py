VERSION = 1
"""Of the format."""

OTHER = 2


class Config:
    limit: int = 10  # at most
    """How many.

    Not more.
    """
    burst = 3
