def f(p):
    raise ValueError(
        "No file %s: it "
        "is not there" % p
    )


P = [
    "--long-",
    "option",
    "y",
]
SQL = (
    "SELECT b",
    "FROM u",
)
