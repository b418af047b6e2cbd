from .tools import helper


def load(text):
    return helper(text)
