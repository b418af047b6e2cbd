"""Prints what CPython's own `ast` finds in each file named on standard input: a line of JSON for each.

`{"path": …, "symbols": [[qualified name, kind, start, end, docstring start or null, docstring end], …]}` with byte
offsets into the file, in file order of the headers; or `{"path": …, "error": …}` for a file that does not parse.
"""

import ast
import json
import re
import sys
import tokenize

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Offsets:
    """Turns CPython's line and column (bytes of UTF-8) into an offset into the file's own bytes."""

    def __init__(self, data, encoding):
        bom = b"\xef\xbb\xbf"
        self.encoding = encoding
        self.base = len(bom) if data.startswith(bom) else 0
        data = data[self.base:]
        self.starts = [0] + [match.end() for match in re.finditer(rb"\r\n|\r|\n", data)]
        self.data = data

    def at(self, line, column):
        start = self.starts[line - 1]
        if self.encoding not in ("utf-8", "utf-8-sig", "ascii"):
            end = self.starts[line] if line < len(self.starts) else len(self.data)
            text = self.data[start:end].decode(self.encoding).encode("utf-8")
            column = len(text[:column].decode("utf-8").encode(self.encoding))
        return self.base + start + column


def symbols(tree, offsets):
    found = []

    def add(name, kind, node, docstring=None):
        span = [offsets.at(node.lineno, node.col_offset), offsets.at(node.end_lineno, node.end_col_offset)]
        said = [None, None]
        if docstring is not None:
            said = [offsets.at(docstring.lineno, docstring.col_offset),
                    offsets.at(docstring.end_lineno, docstring.end_col_offset)]
        found.append([name, kind] + span + said)

    def documents(text, node):
        """Is this the text of an attribute: alone, on the line after the assignment, and all of its last line?"""
        if not (isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant) and isinstance(text.value.value, str)):
            return False
        if text.lineno != node.end_lineno + 1:
            return False
        end = offsets.at(text.end_lineno, text.end_col_offset) - offsets.base
        rest = re.split(rb"[\r\n]", offsets.data[end:], maxsplit=1)[0].strip()
        return not rest or rest.startswith(b"#")

    def walk(body, prefix, scope):
        for node, text in zip(body, body[1:] + [None]):
            said = text if documents(text, node) else None
            if isinstance(node, DEFINITIONS):
                kind = "class" if isinstance(node, ast.ClassDef) else "method" if scope == "class" else "function"
                docstring = node.body[0] if ast.get_docstring(node, clean=False) is not None else None
                add(prefix + node.name, kind, node, docstring)
                walk(node.body, prefix + node.name + ".", "class" if kind == "class" else "function")
            elif isinstance(node, ast.Assign) and scope != "function":
                if len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                    add(prefix + node.targets[0].id, "variable", node, said)
            elif isinstance(node, ast.AnnAssign) and scope != "function":
                if isinstance(node.target, ast.Name):
                    add(prefix + node.target.id, "variable", node, said)
            else:
                for inner in ("body", "handlers", "cases", "orelse", "finalbody"):
                    for part in getattr(node, inner, []):
                        walk([part] if isinstance(part, ast.stmt) else part.body, prefix, scope)

    walk(tree.body, "", "module")
    return found


def main():
    sys.setrecursionlimit(10000)
    for path in sys.stdin.read().splitlines():
        try:
            with open(path, "rb") as file:
                data = file.read()
            tree = ast.parse(data)
            with open(path, "rb") as file:
                encoding, _ = tokenize.detect_encoding(file.readline)
            answer = {"path": path, "symbols": symbols(tree, Offsets(data, encoding))}
        except (SyntaxError, ValueError, RecursionError, LookupError) as error:
            answer = {"path": path, "error": str(error)}
        print(json.dumps(answer))


if __name__ == "__main__":
    import warnings
    warnings.simplefilter("ignore")
    main()
