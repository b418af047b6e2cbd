"""Compiles every string literal and every doctest example in the files named on standard input, each once.

Prints a line of JSON for each: `[source, "ok" or CPython's complaint]`. In the standard library's own tests these are
thousands of programs written to be judged.
"""

import ast
import doctest
import json
import sys
import warnings

from verdict import verdict


def strings(path):
    with open(path, "rb") as file:
        tree = ast.parse(file.read())
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
            if ">>>" in node.value:
                try:
                    yield from (example.source for example in doctest.DocTestParser().get_examples(node.value))
                except ValueError:
                    pass


def main():
    warnings.simplefilter("ignore")
    seen = set()
    for path in sys.stdin.read().splitlines():
        try:
            seen.update(strings(path))
        except (SyntaxError, ValueError, RecursionError):
            continue
    for source in sorted(seen):
        try:
            source.encode()
        except UnicodeEncodeError:
            continue
        if len(source) < 20_000 and "\0" not in source:
            print(json.dumps([source, verdict(source.encode())]))


if __name__ == "__main__":
    sys.setrecursionlimit(10_000)
    main()
