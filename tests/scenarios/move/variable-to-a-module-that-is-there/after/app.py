import depot.stock
from depot import stock, units
from depot.stock import report as tell

tell([])
stock.report([])
depot.stock.report([])
print(units.LIMIT)
