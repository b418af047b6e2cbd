import os
import sys  # noqa: F401
from collections import deque

__all__ = ["deque", "load"]


def load(text):
    return text
