from c import fetch
from a import *


def both():
    return fetch()
