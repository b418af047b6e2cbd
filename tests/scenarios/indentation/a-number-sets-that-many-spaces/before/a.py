if True:
    value = 1
