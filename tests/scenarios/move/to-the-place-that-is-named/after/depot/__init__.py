"""Goods, and where they are."""

from .stock import Item, count

__all__ = ["Item", "count"]
