class Store:
    @locked
    def get(self, key, default=None):
        """Looks the key up."""
        return self.data[key]

    def put(self, key, value):
        if key in self.data:
            raise KeyError(key)
        self.data[key] = value
