class Null:
    def run(self):
        return 0


class Job:
    def run(self):
        return 1
