size = 1


class A:
    size = size
    other = size
