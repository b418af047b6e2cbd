"""A package that hands load on."""

from .core import fetch, save

__all__ = ["fetch", "save"]
__all__ += ["core"]
