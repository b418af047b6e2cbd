LIMIT = 3
HOSTS = [
    "a",
    "b",
]


class Config:
    timeout: int = 5
    retries = 1
