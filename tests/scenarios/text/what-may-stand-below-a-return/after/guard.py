def top():
    if a():
        return


    b()
    b()
