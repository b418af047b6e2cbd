import abc
import os


def run():
    return abc
