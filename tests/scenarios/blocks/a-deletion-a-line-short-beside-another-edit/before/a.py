def load(path):
    data = read(path)
    check(data)


def wipe(path):
    if exists(path):
        unlink(path)
    drop_table(path)


def main():
    go()
