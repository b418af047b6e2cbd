class A:
    """Doc."""

    def m(self):
        return 1
