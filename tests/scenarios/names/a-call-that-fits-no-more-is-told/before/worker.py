class Worker:
    def __init__(self):
        self.done = []

    def process(self, job):
        self.done.append(job)

    def run(self, jobs):
        for job in jobs:
            self.process(job)
