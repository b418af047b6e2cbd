for x in y:
    a()
    b()
