from pkg import b as a


def g():
    return "{a}".format(**dict(globals(), **locals())), a
