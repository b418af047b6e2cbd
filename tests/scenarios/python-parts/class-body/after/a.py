class Color:
    RED = "red"
    BLUE = "blue"


class Size:
    S = 1
