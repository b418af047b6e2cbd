import os

LIMIT = 1


def first():
    return LIMIT


class Worker:
    def run(self):
        return first()
