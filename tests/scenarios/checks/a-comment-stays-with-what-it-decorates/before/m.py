class Config:
    timeout = 30
    """Seconds before a call is given up."""
    retries = 3
