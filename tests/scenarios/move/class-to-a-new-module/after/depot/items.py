from dataclasses import dataclass

from .units import UNIT


# Of one sort.
@dataclass
class Item:
    name: str
    amount: int = UNIT
