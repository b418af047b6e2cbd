def one():
    from .b import f

    return f()


def both():
    from .a import g
    from .b import f

    return f() + g()


try:
    from .b import f as quick
except ImportError:
    quick = None
