from a import *


def both():
    return fetch()
