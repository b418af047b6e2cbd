def load(path):
    data = read(path)
    check(data)


def wipe():
    if exists():
        unlink()
    drop_table()


def main():
    go()
