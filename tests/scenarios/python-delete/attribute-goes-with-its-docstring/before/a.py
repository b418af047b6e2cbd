VERSION = 1
"""Of the format."""
OTHER = 2

"""A text that documents nothing."""


class Config:
    burst = 3
    """How many at once."""
    limit: int = 10
    """How many.

    Not more.
    """

    rate = 0.5


class Alone:
    x = 1
    """The only one."""
