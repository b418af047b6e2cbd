import market
from market import LIMIT
from market.tools import half

print(market.LIMIT, LIMIT, half(1), "market.tools")
