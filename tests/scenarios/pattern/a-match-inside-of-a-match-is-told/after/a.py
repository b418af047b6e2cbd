x = g(f(y))
z = g(1)
