width = 1


class A:
    size = width
    other = size
