class Config:
    limit: int = 10
    """How much."""

    rate = [
        0.5,
    ]  # a half
    burst = 3
    """At once."""
