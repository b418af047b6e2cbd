def load(path, session, max_rows=10):
    return (path, max_rows)
