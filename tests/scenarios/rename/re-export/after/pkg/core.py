def fetch(path):
    return path


def save(path):
    return fetch(path)
