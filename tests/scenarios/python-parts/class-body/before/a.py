class Color:
    RED = 1


class Size:
    S = 1
