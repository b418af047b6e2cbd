class Worker:
    def __init__(self):
        self.log = []

    def validate(self, data): ...

    def process(self, data):
        return data
