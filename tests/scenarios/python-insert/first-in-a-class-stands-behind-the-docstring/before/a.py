class Worker:
    """Works."""

    def process(self, data):
        return data
