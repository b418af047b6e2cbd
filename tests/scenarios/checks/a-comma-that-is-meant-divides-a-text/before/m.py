def f(p):
    raise ValueError(
        "The file %s "
        "is not there" % p
    )


P = [
    "--long-"
    "option",
    "x",
]
SQL = (
    "SELECT a "
    "FROM t"
)
