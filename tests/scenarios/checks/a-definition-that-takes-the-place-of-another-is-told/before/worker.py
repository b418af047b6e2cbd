import sys


class Worker:
    def run(self):
        return 1

    @property
    def size(self):
        return self._size

    def stop(self):
        return 2


if sys.platform == "win32":
    def path():
        return "a"
