from market.tools import half

LIMIT = half(2)
