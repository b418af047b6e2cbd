class Worker:
    def __init__(self, name, size=1):
        self.name = name

    def run(self, data, quiet=False):
        return data

    def twice(self):
        return self.run(1), self.run(2, True), self.run(3, quiet=True)


class Boss(Worker):
    def __init__(self):
        super().__init__("boss", 9)


class Small(Worker):
    pass


worker: Worker = Small("s", 4)
print(worker.run([1], False), Worker(size=2, name="w"), Boss())
