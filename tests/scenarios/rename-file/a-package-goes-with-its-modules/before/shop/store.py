from shop.tools import half

LIMIT = half(2)
