def f():
    if t:
        c()
    if u:
        a()
        b()
