f(
    x,
    help="first"
)
