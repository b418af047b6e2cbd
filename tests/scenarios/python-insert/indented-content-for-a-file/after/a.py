import os


class Worker:
    def run(self):
        return os.name


def stop():
    return 0
