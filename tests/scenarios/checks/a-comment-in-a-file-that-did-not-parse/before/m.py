def f(:
    a()
