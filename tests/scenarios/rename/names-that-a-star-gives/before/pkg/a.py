def f():
    return _helper()


def _helper():
    return 1
