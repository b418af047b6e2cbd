from a import*


def letters(word):
    return list(word)
