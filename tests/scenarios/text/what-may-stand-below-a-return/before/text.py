def top():
    a()
    b()
