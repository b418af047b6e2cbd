from m import load

print(load("x", None, 500), load("y", max_rows=1, session=None))
