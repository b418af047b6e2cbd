LIMIT = 3


class Shop:
    name = "x"

    def open(self):
        return True

    def close(self):
        return False


def main():
    def helper():
        return 1

    return helper()
