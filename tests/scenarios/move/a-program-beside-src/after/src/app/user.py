from .base import Other
from .clients import Client
def check(c): return isinstance(c, Client)
