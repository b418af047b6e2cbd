from m import load

print(load("x", 500), load("y", limit=1))
