def top():
    return

    a()
    b()
