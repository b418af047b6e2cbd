from .base import Client, Other
def check(c): return isinstance(c, Client)
