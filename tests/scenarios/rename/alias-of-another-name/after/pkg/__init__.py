from .core import Thing as Shown

__all__ = ["Shown"]
