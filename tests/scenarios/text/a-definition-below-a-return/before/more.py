def top():
    b()
    return 1
