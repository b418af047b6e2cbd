LIMIT = 3
MOST = 4


def f(x):
    y = LIMIT
    return x + y


def g():
    return max(LIMIT, 1)


class Base:
    def close(self): ...


class Leaf(Base):
    def shut(self): ...
