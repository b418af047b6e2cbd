from .core import Thing as Public

__all__ = ["Public"]
