config = {"a": 1}
