if True:
        value = 2
