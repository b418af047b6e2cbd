f(
    x,
    help="first"
)
q = [
    "SELECT a ",
    b,
]
raise E(
    "one"
)
