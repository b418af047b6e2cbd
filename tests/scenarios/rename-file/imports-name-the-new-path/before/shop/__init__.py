from .store import Store as Store
from . import store
