X = [
    (1, 2),  # the first
    (3, 4),
]
