MOST = 3


class Store:
    name = "x"

    def open(self):
        return 1

    def close(self):
        return False


def main():
    def aid():
        return 1

    return aid()
