from pkg import a


def g():
    return "{a}".format(**dict(globals(), **locals())), a
