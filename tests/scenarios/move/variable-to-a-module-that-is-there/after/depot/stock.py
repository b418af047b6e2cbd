"""What is there."""

import logging
from collections import Counter
from dataclasses import dataclass

from .units import UNIT


# Of one sort.
@dataclass
class Item:
    name: str
    amount: int = UNIT


def count(items: list[Item]) -> Counter:
    """Say how many there are."""
    return Counter({item.name: item.amount * UNIT for item in items})


def report(items: list[Item]) -> None:
    logging.info("%s", count(items))
