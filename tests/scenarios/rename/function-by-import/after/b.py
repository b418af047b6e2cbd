import a
from a import fetch as l

print(l("x"), a.fetch("y"))
