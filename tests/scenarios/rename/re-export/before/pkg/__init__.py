"""A package that hands load on."""

from .core import load, save

__all__ = ["load", "save"]
__all__ += ["core"]
