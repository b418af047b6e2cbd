# template=worker version=1
import os
import sys


def process():
    return 1
