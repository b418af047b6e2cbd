if a:
    b()
d()
