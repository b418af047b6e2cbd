from ns.sub.b import nsfun


def f():
    return nsfun()
