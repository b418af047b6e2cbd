from shop.store import LIMIT
