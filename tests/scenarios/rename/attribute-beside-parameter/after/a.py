class A:
    def __init__(self, name):
        self.title = name

    def show(self):
        return self.title


def describe(a: A):
    return a.title + A("x").title


print(A(name="y").title)
