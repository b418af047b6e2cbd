def fetch(path):
    return path
