import os
from collections import deque


def checked(data):
    return data


def run(data):
    return deque(checked(data)), os.sep
