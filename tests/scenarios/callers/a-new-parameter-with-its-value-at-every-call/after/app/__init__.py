from .core import load as load_it
