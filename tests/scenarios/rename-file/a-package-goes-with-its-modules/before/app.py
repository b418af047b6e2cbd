import shop
from shop import LIMIT
from shop.tools import half

print(shop.LIMIT, LIMIT, half(1), "shop.tools")
