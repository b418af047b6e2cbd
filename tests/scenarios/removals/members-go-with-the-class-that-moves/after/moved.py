class S:
    X = 1

    def a(self):
        def i(): return 1
        return i()
