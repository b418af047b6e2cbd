def f():
    a()
    pay()
    c()
