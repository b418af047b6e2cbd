LIMIT = 3


class Shop:
    name = "x"

    def open(self):
        return True


def main():
    def helper():
        return 1

    return helper()
