def load(path, mode):
    return path


def one():
    return load("a", "b")


def two():
    return load("b", mode="r")
