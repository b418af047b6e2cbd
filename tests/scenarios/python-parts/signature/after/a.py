class Store:
    @locked
    def get(self, key, default=None):
        return self.data[key]
