class Store:
    def get(self, key):
        """Looks up."""
        return self.data[key]
