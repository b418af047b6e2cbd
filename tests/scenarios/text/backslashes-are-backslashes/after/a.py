print("a\n$1")
