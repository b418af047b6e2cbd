import os


def f():
    pass


x = 1
