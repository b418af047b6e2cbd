"""What is there."""

import logging
from collections import Counter

from .items import Item
from .units import UNIT

LIMIT = 10


def count(items: list[Item]) -> Counter:
    """Say how many there are."""
    return Counter({item.name: item.amount * UNIT for item in items})


def report(items: list[Item]) -> None:
    logging.info("%s", count(items))
