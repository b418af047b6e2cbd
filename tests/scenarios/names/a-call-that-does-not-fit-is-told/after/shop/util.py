LIMIT = 3


def fetch(url, *, timeout=1):
    return (url, timeout)
