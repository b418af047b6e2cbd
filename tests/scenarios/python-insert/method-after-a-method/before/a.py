class Worker:
    def __init__(self):
        self.log = []

    def process(self, data):
        return data
