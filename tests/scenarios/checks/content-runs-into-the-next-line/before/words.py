SIZES = [1, 2, 3]
ok = not ready
