class A:
    def f(self):
        """One."""
        return 1
