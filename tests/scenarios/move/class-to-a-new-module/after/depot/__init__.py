"""Goods, and where they are."""

from .items import Item
from .stock import count

__all__ = ["Item", "count"]
