def run(first, second, last):
    x = 1; return first
