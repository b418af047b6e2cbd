from . import prices
from .prices import price


def total():
    return price(), prices
