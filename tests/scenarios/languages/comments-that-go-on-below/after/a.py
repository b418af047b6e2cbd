y = 2


def f():  # long
          # tail
    g()
    return y
