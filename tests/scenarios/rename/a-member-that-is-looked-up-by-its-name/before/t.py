import enum


class Size(enum.Enum):
    LARGE = 1
    SMALL = 2

    def other(self):
        return type(self)["LARGE"]
