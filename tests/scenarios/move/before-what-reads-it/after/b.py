from a import other


class Base:
    pass


class Leaf(Base):
    value = other()
