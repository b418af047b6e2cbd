count = 0
last = None


def step(values):
    global count
    total = 0

    def add(value):
        nonlocal total
        total += value
        return total

    count += 1
    if any((found := value) > 3 for value in values):
        print(found)
    match values:
        case [head, *rest]:
            print(head, rest)
        case {"a": head, **rest}:
            print(head, rest)
    try:
        add(1)
    except ValueError as error:
        print(error)
    for index in values:
        del index
    with open("x") as handle:
        return handle, total, count
