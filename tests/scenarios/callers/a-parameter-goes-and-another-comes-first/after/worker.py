class Worker:
    def __init__(self, color, name):
        self.name = name

    def run(self, data):
        return data

    def twice(self):
        return self.run(1), self.run(2), self.run(3)


class Boss(Worker):
    def __init__(self):
        super().__init__("red", "boss")


class Small(Worker):
    pass


worker: Worker = Small("red", "s")
print(worker.run([1]), Worker(name="w", color="red"), Boss())
