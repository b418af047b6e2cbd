def top(a, b): return a
