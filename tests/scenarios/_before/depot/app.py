import depot.stock
from depot import stock
from depot.stock import report as tell

tell([])
stock.report([])
depot.stock.report([])
print(stock.LIMIT)
