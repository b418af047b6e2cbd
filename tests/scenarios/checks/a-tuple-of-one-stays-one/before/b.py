f(a, b)
x = ["a", "b"]
