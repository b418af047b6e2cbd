from p import a
from p.a import f, g

print(a.g, g, f, a.i())
