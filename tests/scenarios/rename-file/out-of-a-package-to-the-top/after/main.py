import c

print(c.h())
