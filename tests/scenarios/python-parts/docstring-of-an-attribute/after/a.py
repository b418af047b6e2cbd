class Config:
    limit: int = 10
    """How many.

    Not more.
    """

    rate = [
        0.5,
    ]  # a half
    """How fast."""
    burst = 3
