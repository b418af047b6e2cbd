f(
    a)
