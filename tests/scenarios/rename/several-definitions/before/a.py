from typing import overload


class A:
    @property
    def value(self):
        return self._value

    @value.setter
    def value(self, new):
        self._value = new

    @value.deleter
    def value(self):
        del self._value


@overload
def parse(text: str) -> str: ...
@overload
def parse(text: bytes) -> bytes: ...
def parse(text):
    return text


try:
    def fast(x):
        return x
except ImportError:
    def fast(x):
        return x + 1

a = A()
a.value = parse("x")
del a.value
fast(1)
