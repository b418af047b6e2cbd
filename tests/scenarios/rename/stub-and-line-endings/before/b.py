from a import load
load("x")
