def run():
    return (1


def walk():
    return 2
