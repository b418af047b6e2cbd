# What it is for, and what somebody added since.
@once
def run():
    return 1


LIMIT = 1
