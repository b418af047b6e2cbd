"""Says which statements beside an edit are not what they were to CPython.

Standard input: [{name, before, edits: [[[start, end, text], ...], ...]}, ...]. Standard output: for each file null where
it cannot be read, else for each edit null or what is wrong with it.
"""

import ast
import json
import sys
import warnings

warnings.simplefilter("ignore")


def statements(text):
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    found = []

    def visit(node, chain):
        for field, value in ast.iter_fields(node):
            for child in value if isinstance(value, list) else []:
                if not isinstance(child, (ast.stmt, ast.ExceptHandler, ast.match_case)):
                    continue
                if isinstance(child, ast.match_case):
                    visit(child, chain)
                    continue
                start = starts[child.lineno - 1] + child.col_offset
                end = starts[child.end_lineno - 1] + child.end_col_offset
                it = (type(child).__name__, start, end, hasattr(child, "body"), field, chain)
                found.append(it)
                visit(child, chain + [it])

    visit(module, [])
    return found


def beside(found, ranges, moved):
    def is_outside(start, end, compound):
        # What holds others ends where the last of them ends: to add one below is not to touch what is there.
        if compound:
            return all(end < a or b < start for a, b in ranges)
        return all(end <= a or b <= start for a, b in ranges)

    def place(kind, start, end, compound, field, chain):
        around = " ".join(f"{it[0]}@{moved(it[1], True)}.{it[4]}" for it in chain)
        ends = "" if compound else moved(end, False)
        return f"{moved(start, True)}-{ends} {kind} in {around} {field}"

    everything = {place(*it) for it in found}
    return {place(*it) for it in found if is_outside(*it[1:4])}, everything


def complaint(before, found, edit):
    after, start = "", 0
    for a, b, piece in edit:
        after += before[start:a] + piece
        start = b
    after += before[start:]
    now = statements(after)
    if now is None:
        return "the result does not parse"

    def moved(offset, behind):
        past = lambda a, b: a < offset or (a == offset == b and behind)
        return offset + sum(len(piece) - (b - a) for a, b, piece in edit if past(a, b))

    given, shift = [], 0
    for a, b, piece in edit:
        given.append((a + shift, a + shift + len(piece)))
        shift += len(piece) - (b - a)
    old, every_old = beside(found, [(a, b) for a, b, _ in edit], moved)
    kept, every_new = beside(now, given, lambda offset, behind: offset)
    # What lost its last statement is no longer touched, and was there.
    lost, come = sorted(old - every_new), sorted(kept - every_old)
    return f"lost {lost[0]}" if lost else f"came {come[0]}" if come else None


judged = []
for file in json.load(sys.stdin):
    found = statements(file["before"])
    judged.append(found and [complaint(file["before"], found, edit) for edit in file["edits"]])
json.dump(judged, sys.stdout)
