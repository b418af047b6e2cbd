def run(path):
    pass


def walk():
    return 1
