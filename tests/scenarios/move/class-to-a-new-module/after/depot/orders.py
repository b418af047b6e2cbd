"""What is wanted."""

from .items import Item
from .stock import report
from .units import UNIT


def order(name: str) -> Item:
    item = Item(name, UNIT)
    report([item])
    return item
