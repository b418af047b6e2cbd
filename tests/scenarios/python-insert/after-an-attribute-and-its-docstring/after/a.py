VERSION = 1
"""Of the format."""

NAME = "a"
"""What it is called.

    indented
"""

OTHER = 2


class Config:
    limit: int = 10  # at most
    """How many.

    Not more.
    """
    rate = 0.5
    burst = 3
