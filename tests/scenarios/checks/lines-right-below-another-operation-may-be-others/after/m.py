if x:
    a()
b()
d()
c()
