import logging

from .stock import Item, count


def report(items: list[Item]) -> None:
    logging.info("%s", count(items))
