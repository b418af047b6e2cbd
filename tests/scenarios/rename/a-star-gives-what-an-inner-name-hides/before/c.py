from a import *


def own():
    fetch = 2
    return fetch
