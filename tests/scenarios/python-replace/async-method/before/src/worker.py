class Worker:
    """Works."""

    def __init__(self, name):
        self.name = name

    def process(self, data):
        return self.execute(data)

    def execute(self, data):
        return data
