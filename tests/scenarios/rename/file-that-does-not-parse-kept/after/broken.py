from a import load

def f(:
    load("x")
