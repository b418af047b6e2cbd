class Store:
    def get(self, key):
        return self.data[key]
