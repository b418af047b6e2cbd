def f():
    """New."""
    return 1


class A:
    def g(self):
        """New.

        More of it:
            deeper.
        """
        return 1
