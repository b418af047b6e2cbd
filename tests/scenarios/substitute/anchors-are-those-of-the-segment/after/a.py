x = 1
def g():
    return x
