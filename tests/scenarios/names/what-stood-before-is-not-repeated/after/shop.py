def run(data):
    return old_trouble(data)


def walk(data):
    return old_trouble(data) + run(data)
