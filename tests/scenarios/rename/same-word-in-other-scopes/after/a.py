most = 10


def scale(limit):
    return limit * 2


def default(value=most):
    return value


double = lambda limit: limit * 2
all_of_them = [limit for limit in range(most)]
text = f"{most:>{most}}"


class Box:
    limit = 3

    def show(self):
        return most
