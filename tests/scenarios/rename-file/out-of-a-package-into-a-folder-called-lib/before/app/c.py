from .b import V
