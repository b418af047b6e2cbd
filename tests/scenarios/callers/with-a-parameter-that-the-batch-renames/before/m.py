def load(path, limit=10):
    return (path, limit)
