def f():
    a()


def g():
    print "done"
