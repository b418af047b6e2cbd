import os


class Worker:
    def run(self):
        return os.name


    def stop(self):
        return 0
