def f():
    a()
    b()
    pay()
    pay()
    c()
