raise ValueError(
    "first "
)
