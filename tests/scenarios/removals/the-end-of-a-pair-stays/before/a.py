# [START x]
def a():
    pass


# [END x]
def b():
    pass


def c():
    pass
