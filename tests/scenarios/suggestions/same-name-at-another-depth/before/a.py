class Worker:
    def process(self):
        return 1
