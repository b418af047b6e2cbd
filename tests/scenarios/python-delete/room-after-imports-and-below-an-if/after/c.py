from a import (
    b,
)


class B:
    pass
