from lib.b import V
