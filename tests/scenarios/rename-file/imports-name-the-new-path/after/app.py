import shop.stock
import shop.stock as kept
from shop import prices, stock
from shop.stock import (
    Store,  # the one
)


def run():
    """Uses shop.store, see shop/store.py."""
    stock.Store()
    return shop.stock.Store(), kept.Store(), Store(), prices.price()
