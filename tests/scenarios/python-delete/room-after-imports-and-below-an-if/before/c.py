from a import (
    b,
)


class A:
    pass


class B:
    pass
