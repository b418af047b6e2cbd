print("a\n$0")
