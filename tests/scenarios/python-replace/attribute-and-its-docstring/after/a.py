class Config:
    limit: int = 20  # at most
    """How many."""

    rate = 0.25  # a half
    """How often.

    Each second.
    """

    burst = 4
