OTHER = 2

"""A text that documents nothing."""


class Config:
    burst = 3
    """How many at once."""

    rate = 0.5


class Alone:
    pass
