"""Edits by `ast`: replaces the lines of each definition that a JSON file names. A peer of `benches/run`; many write such."""

import ast
import json
import sys


def found(body, name, rest):
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == name:
            return found(node.body, *rest) if rest else node
    raise SystemExit(f"no {name}")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        work = json.load(file)
    for path, edits in work:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        lines = text.splitlines(True)
        body = ast.parse(text).body
        tops = {node.name: node for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
        spans = []
        for symbol, content in edits:
            name, *rest = symbol.split(".")
            node = found(tops[name].body, rest[0], rest[1:]) if rest else tops[name]
            spans.append((node.lineno - 1, node.end_lineno, content))
        for first, last, content in sorted(spans, reverse=True):
            lines[first:last] = [content + "\n"]
        with open(path, "w", encoding="utf-8") as file:
            file.write("".join(lines))


if __name__ == "__main__":
    main()
