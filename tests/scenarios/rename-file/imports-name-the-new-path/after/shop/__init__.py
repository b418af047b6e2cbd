from .stock import Store as Store
from . import stock as store
