"""What is there."""

from collections import Counter
from dataclasses import dataclass

from .units import UNIT

LIMIT = 10


# Of one sort.
@dataclass
class Item:
    name: str
    amount: int = UNIT


def count(items: list[Item]) -> Counter:
    """Say how many there are."""
    return Counter({item.name: item.amount * UNIT for item in items})
