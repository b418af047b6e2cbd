# What it is for.
@once
def run():
    return 1


LIMIT = 1
