HELP = [
    "short",
    ("a long text "
     "in two parts"),
]
