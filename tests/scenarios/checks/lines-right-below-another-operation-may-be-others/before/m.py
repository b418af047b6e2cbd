if x:
    a()
else:
    b()
c()
d()
