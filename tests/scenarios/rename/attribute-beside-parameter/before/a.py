class A:
    def __init__(self, name):
        self.name = name

    def show(self):
        return self.name


def describe(a: A):
    return a.name + A("x").name


print(A(name="y").name)
