@login_required
def f():
    a()


def g():
    b()
