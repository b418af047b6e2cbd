import a
from a import load as l

print(l("x"), a.load("y"))
