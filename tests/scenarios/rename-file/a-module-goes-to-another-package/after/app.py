from core import stock as store
from shop import prices
from core.stock import total


def run():
    return store.total(), prices.price(), total()
