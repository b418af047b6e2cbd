HANDLERS = {}
LIMIT = 10


def handler(function):
    HANDLERS[function.__name__] = function
    return function


@handler
def one(a):
    return a


class Kind:
    FIRST = 1
    SECOND = 2


total = 0
total = 1
