urls = [
    path("a"),
    path("b")  # last
]
