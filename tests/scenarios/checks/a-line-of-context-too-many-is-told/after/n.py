def f():
    a2()
    pay()
    pay()
    c()
