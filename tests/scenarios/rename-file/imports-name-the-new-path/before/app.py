import shop.store
import shop.store as kept
from shop import prices, store
from shop.store import (
    Store,  # the one
)


def run():
    """Uses shop.store, see shop/store.py."""
    store.Store()
    return shop.store.Store(), kept.Store(), Store(), prices.price()
