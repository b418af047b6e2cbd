from a import load

ﬁ = load("y")
print(fi)
