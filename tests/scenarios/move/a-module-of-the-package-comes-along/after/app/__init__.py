"""The app."""

from . import util


class Http:
    def go(self): return util.WIDTH
