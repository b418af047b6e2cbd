class Store:
    @locked
    def get(
        self,
        key,
    ):
        return self.data[key]
