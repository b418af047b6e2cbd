from dataclasses import dataclass


class P:
    def __init__(self, x, y=0):
        self.x, self.y = x, y

    def copy(self):
        return type(self)(self.x, self.y)


class A:
    def m(self, a=0):
        return a

    def __call__(self, a, b=2):
        return a, b


def f(a, k=0):
    return a


def load(path, verbose=False):
    return path


def plain(a):
    return a


print(P(1, 5), A().m(1), A()(1, 2), f(0, next(iter([1]))), load("y", verbose=True), plain(1))
