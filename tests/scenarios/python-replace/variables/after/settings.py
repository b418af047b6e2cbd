LIMIT = 4
HOSTS = ["a"]


class Config:
    timeout: float = 0.5
    retries = 1
