def load(path):
    with open(path, encoding="utf-8") as handle:
        text = handle.read()
    return parse(text)


def save(path, text):
    return path
