from typing import overload


class A:
    @property
    def content(self):
        return self._value

    @content.setter
    def content(self, new):
        self._value = new

    @content.deleter
    def content(self):
        del self._value


@overload
def read(text: str) -> str: ...
@overload
def read(text: bytes) -> bytes: ...
def read(text):
    return text


try:
    def quick(x):
        return x
except ImportError:
    def quick(x):
        return x + 1

a = A()
a.content = read("x")
del a.content
quick(1)
