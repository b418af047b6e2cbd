LIMIT = 3


class Shop:
    def open(self):
        return True


def main():
    return 1
