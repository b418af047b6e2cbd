from shop import *


def load():
    return 1
