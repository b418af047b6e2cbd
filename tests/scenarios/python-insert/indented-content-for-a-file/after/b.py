LIMIT = (
    1
)
import os


class Worker:
    def run(self):
        return os.name
