f(
    x,
    help="first"
    "second"
)
q = [
    "SELECT a "
    "FROM b",
    b,
]
raise E(
    "one"
    "two"
)
