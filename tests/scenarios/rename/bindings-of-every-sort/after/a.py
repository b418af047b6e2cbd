steps = 0
last = None


def step(numbers):
    global steps
    sum_ = 0

    def add(value):
        nonlocal sum_
        sum_ += value
        return sum_

    steps += 1
    if any((seen := value) > 3 for value in numbers):
        print(seen)
    match numbers:
        case [first, *others]:
            print(first, others)
        case {"a": first, **others}:
            print(first, others)
    try:
        add(1)
    except ValueError as problem:
        print(problem)
    for at in numbers:
        del at
    with open("x") as file:
        return file, sum_, steps
