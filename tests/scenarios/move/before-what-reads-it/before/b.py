from a import Base, other


class Leaf(Base):
    value = other()
