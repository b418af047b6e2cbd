from shop import prices, store
from shop.store import total


def run():
    return store.total(), prices.price(), total()
