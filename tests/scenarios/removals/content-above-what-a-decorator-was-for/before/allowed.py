import x

@x.deco
def f():
    return 1
