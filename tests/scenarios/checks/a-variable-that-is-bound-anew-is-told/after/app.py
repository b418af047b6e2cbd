HANDLERS = {}
LIMIT = 10
LIMIT = LIMIT + 1


def handler(function):
    HANDLERS[function.__name__] = function
    return function


HANDLERS = {}


@handler
def one(a):
    return a + 1


class Kind:
    FIRST = 1
    SECOND = 2
    SECOND = 3


total = 0
total = 1
total = 2
if total:
    handler = print
