class A:
    def f(self):
        """Doc.
        return 1

    def g(self):
        """Doc."""
        return 2
