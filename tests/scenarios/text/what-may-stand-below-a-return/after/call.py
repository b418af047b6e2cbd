def top():
    a()
    return f(
        1,
    )
