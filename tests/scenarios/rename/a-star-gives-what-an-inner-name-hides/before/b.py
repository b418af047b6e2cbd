from a import *


def both():
    return load()
