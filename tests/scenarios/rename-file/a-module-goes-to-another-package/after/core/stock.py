from shop import prices
from shop.prices import price


def total():
    return price(), prices
