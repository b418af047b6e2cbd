def f():
    a()
    b()


def g():
    print "done"
