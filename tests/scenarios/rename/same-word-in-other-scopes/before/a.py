limit = 10


def scale(limit):
    return limit * 2


def default(value=limit):
    return value


double = lambda limit: limit * 2
all_of_them = [limit for limit in range(limit)]
text = f"{limit:>{limit}}"


class Box:
    limit = 3

    def show(self):
        return limit
