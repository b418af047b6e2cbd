from b import load

load("y")
