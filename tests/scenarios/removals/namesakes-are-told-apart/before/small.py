class Reader:
    @property
    def name(self):
        return self._name

    def close(self):
        pass

    def read(self):
        return 1
