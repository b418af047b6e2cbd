import depot.stock
import depot.telling
from depot import stock, telling
from depot.telling import report as tell

tell([])
telling.report([])
depot.telling.report([])
print(stock.LIMIT)
