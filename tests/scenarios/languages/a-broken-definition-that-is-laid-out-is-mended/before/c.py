def g():
    if x
        return """
text in column 0
"""


def h():
    return 2
