import os


def run(data):
    return data, os.sep
