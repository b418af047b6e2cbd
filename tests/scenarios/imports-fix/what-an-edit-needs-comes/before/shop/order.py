"""Orders."""

import json
from collections import Counter


def load(text):
    return Counter(json.loads(text))
