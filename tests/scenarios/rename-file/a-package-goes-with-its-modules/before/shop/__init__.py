from .store import LIMIT
