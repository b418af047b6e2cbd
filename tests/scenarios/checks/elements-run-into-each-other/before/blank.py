LABELS = [
    "name: ",
    "mail: "
]
