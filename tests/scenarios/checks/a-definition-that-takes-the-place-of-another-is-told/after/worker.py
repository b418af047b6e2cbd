import sys


class Worker:
    def run(self):
        return 1

    @property
    def size(self):
        return self._size

    @size.setter
    def size(self, value):
        self._size = value

    def stop(self):
        return 2

    def run(self, times):
        return times


if sys.platform == "win32":
    def path():
        return "a"


else:
    def path():
        return "b"
