class Outer:
    class Inner:
        def process(self):
            return 1
