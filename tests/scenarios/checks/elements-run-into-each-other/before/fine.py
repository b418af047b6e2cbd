print(
    "one "
    "two "
)
