from c import fetch
from d import *


def both():
    return fetch()
