def helper():
    return 3


@dec
# Why.
def f():
    return helper()


X = load(1)  # type: ignore
Z = 3
