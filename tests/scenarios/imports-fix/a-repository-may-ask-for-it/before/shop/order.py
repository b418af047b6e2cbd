from .tools import other


def load(text):
    return other(text)
