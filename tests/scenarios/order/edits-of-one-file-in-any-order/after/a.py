import os
import re

LIMIT = 2


def first():
    return LIMIT * 2


class Worker:
    def run(self):
        return first() + 1
