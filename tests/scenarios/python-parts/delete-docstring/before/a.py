class Store:
    def get(self, key):
        """Looks up.

        At length.
        """
        return self.data[key]
