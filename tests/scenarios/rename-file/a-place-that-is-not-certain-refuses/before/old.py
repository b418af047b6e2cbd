from shop.store import LIMIT
print LIMIT
