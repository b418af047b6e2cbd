if debug: level = 1; verbose = True
