# [START x]
def a():
    pass


# [END x]


def c():
    pass
