def load(path):
    with open(path, encoding="utf-8") as handle:
        text = handle.read()
    return parse(text.strip())


def save(path, text):
    return path
