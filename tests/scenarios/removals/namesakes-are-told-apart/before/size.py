class Box:
    @property
    def size(self):
        return self._size

    @size.setter
    def size(self, value):
        self._size = check(value)

    @size.deleter
    def size(self):
        del self._size
