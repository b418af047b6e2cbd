x = (
    a, b,
    c,
)
