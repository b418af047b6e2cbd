def top():
    a()
    return 1
