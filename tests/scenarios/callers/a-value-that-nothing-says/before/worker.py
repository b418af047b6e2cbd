def load(path):
    return path


print(load("a"), load("b"))
