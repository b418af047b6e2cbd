def f():
    """D."""
    return 1


class A:
    def g(self):
        """D.

        More.
        """
        return 1
