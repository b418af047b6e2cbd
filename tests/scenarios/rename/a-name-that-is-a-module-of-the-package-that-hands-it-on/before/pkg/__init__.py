from .core import thing
