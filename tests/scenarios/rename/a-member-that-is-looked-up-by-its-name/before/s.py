import enum


class Color(enum.Enum):
    RED = 1


print(Color["RED"].value, Color.RED.name)
