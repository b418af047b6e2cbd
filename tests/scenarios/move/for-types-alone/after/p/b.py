from .a import g


class B:
    pass
