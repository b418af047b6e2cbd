"""Says of each of some texts whether it is JSON: reads a list of strings, prints a line of 0 and 1."""

import json
import sys


def refuse(constant):
    raise ValueError(constant)


def is_json(text):
    try:
        json.loads(text, parse_constant=refuse)
    except ValueError:
        return False
    return True


print("".join("01"[is_json(text)] for text in json.load(sys.stdin)))
