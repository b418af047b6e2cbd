# pylint: disable-next=foo
@deco
def f():
    pass
