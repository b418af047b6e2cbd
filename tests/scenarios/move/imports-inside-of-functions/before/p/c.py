def one():
    from .a import f

    return f()


def both():
    from .a import f, g

    return f() + g()


try:
    from .a import f as quick
except ImportError:
    quick = None
