def load(path):
    text = open(path).read()
    return text


def save(path):
    return load(path)
