import functools


def load(path):
    return path + "!"


def save(path):
    return path
