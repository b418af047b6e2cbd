class Config:
    limit: int = 10  # at most
    """How many."""

    rate = 0.5  # a half
    """How fast."""

    burst = 3
    """At once."""
