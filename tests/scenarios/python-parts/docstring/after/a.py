class Store:
    def get(self, key):
        """Returns what stands at `key`.

        Raises:
            KeyError: nothing stands there.
        """
        return self.data[key]
