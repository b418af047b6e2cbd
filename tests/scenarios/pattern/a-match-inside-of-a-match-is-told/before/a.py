x = f(f(y))
z = f(1)
