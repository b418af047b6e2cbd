if a:
    b()
    c()
d()
