NAMES = [
    "alpha",
    "beta"
]
