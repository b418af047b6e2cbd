# template= version
import os
import sys


def process():
    pass
