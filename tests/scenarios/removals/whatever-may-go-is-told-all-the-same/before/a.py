import x


@x.deco
def f():
    return 1  # noqa: E501


@x.deco
def g():
    return 2
