def f():
    a()
    pay()
    pay()
    c()
