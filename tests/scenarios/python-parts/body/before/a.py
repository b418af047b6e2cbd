class Store:
    @locked
    def get(self, key, default=None):
        """Looks the key up."""
        return self.data[key]

    def put(self, key, value):
        self.data[key] = value
