def fetch(path):
    text = path
    return text


def store(path):
    return fetch(path)
