x = 1  # long
       # tail
y = 2


def f():  # long
          # tail
    g()
