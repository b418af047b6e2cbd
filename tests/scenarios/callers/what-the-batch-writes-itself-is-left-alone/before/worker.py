def load(path):
    return path


def one():
    return load("a")


def two():
    return load("b")
