import logging

from .stock import Item, count


def report(items: list[Item]) -> None:
    logging.info("there are %s", count(items))
