class Worker:
    @property
    def value(self):
        return self._value

    @value.setter
    def value(self, value):
        self._value = value
