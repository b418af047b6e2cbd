"""What is wanted."""

from .stock import Item, report
from .units import UNIT


def order(name: str) -> Item:
    item = Item(name, UNIT)
    report([item])
    return item
