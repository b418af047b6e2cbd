json = 2
