def run(path):
    print(path)
    return path


def walk():
    return 1
