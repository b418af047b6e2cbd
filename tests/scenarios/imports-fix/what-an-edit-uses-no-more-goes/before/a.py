import json
import os
import sys  # noqa: F401
from collections import Counter, deque

__all__ = ["deque", "load"]


def load(text):
    deque()
    return Counter(json.loads(text)), sys.path
