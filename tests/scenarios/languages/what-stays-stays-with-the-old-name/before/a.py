@dec
# Why.
def f():
    return 1


X = load()  # type: ignore
