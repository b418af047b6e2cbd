"""Says what each line of the files named on standard input is, by CPython's own `tokenize` and `ast`.

Prints a line of JSON for each: `{"path": …, "roles": "C K0 B F D3 …"}`, one word a line of the file (counted by LF):
Code, Kontinuation of the statement that begins on that line, Blank, Frozen, Docstring that begins on that line.
"""

import ast
import io
import json
import sys
import token
import tokenize
import warnings

STARTS = {getattr(token, name, None) for name in ("FSTRING_START", "TSTRING_START")} - {None}
ENDS = {getattr(token, name, None) for name in ("FSTRING_END", "TSTRING_END")} - {None}
LAYOUT = {token.INDENT, token.DEDENT, token.NL, token.COMMENT, token.ENDMARKER, tokenize.ENCODING}


def docstrings(tree):
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(tree):
        if isinstance(node, kinds) and ast.get_docstring(node, clean=False) is not None:
            yield node.body[0].lineno - 1, node.body[0].end_lineno - 1
        # Text below the assignment of an attribute documents that.
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            for assigned, text in zip(block, block[1:]) if isinstance(block, list) else ():
                if is_assignment(assigned) and is_text(text) and assigned.end_lineno < text.lineno:
                    yield text.lineno - 1, text.end_lineno - 1


def is_text(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def is_assignment(node):
    target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
    while isinstance(target, ast.Attribute):
        target = target.value
    return isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(target, ast.Name)


def roles(data):
    lines = data.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    found = ["B" if not line.strip(b" \t\r\f") else "C" for line in lines]
    documented = sorted(docstrings(ast.parse(data)))
    logical = None
    depth = []
    for each in tokenize.tokenize(io.BytesIO(data).readline):
        (first, _), (last, _) = each.start, each.end
        first, last = first - 1, last - 1
        if each.type in LAYOUT:
            continue
        if each.type == token.NEWLINE:
            logical = None
            continue
        if logical is None:
            logical = first
            done = first
        for line in range(done + 1, first + 1):
            if found[line] == "C":
                found[line] = f"K{logical}"
        done = max(done, last)
        raw = "r" in each.string.lower().split("'")[0].split('"')[0]
        if each.type in STARTS:
            depth.append(first)
        elif each.type in ENDS:
            start = depth.pop()
            if not depth:
                for line in range(start + 1, last + 1):
                    found[line] = "F"
        elif each.type == token.STRING and not depth:
            for line in range(first + 1, last + 1):
                inside = [start for start, end in documented if start < line <= end]
                before = lines[line - 1].rstrip(b"\r")
                joined = (len(before) - len(before.rstrip(b"\\"))) % 2 == 1 and not raw
                found[line] = f"D{inside[0]}" if inside and not joined else "F"
    return " ".join(found)


def main():
    warnings.simplefilter("ignore")
    for path in sys.stdin.read().splitlines():
        try:
            with open(path, "rb") as file:
                data = file.read()
            # What `tokenize` and LF count differently is not compared.
            if b"\r" in data.replace(b"\r\n", b"\n") or not data.isascii():
                continue
            print(json.dumps({"path": path, "roles": roles(data)}))
        except (SyntaxError, ValueError, RecursionError, LookupError, tokenize.TokenError):
            continue


if __name__ == "__main__":
    main()
