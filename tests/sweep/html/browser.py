"""Answers where html5lib puts the marked tags and texts of pages.

Standard input: a list of {"page": text, "marks": [[offset in bytes, is_text], …], "expected": tree or null}. Standard output: for
each page, of each mark the number of the nearest marked tag around it, -1 where there is none, null where it ends up nowhere;
null for the page where it does not come to the tree that is expected.
"""

import json
import sys

import html5lib

ATTRIBUTE = "segedit-mark"
FIRST = 0xF0000


def marked(page, marks):
    pieces, start = [], 0
    for number, (offset, is_text) in enumerate(marks):
        mark = chr(FIRST + number) if is_text else f" {ATTRIBUTE}={number} "
        pieces += [page[start:offset], mark.encode()]
        start = offset
    return b"".join([*pieces, page[start:]]).decode()


def places(page, marks):
    found = [None] * len(marks)

    def put(number, around):
        if found[number] is None:
            found[number] = around

    def text(words, around):
        for letter in words or "":
            # Some pages name such characters themselves.
            if FIRST <= ord(letter) < FIRST + len(found):
                put(ord(letter) - FIRST, around)

    # By hand: some trees are deeper than Python's own stack.
    todo = [(html5lib.parse(marked(page.encode(), marks), namespaceHTMLElements=False), -1)]
    while todo:
        node, around = todo.pop()
        if isinstance(node, str):
            text(node, around)
            continue
        inside = around
        if isinstance(node.tag, str):
            number = node.get(ATTRIBUTE)
            if number is not None:
                put(int(number), around)
                inside = int(number)
            text(node.text, inside)
        for child in reversed(node):
            todo += [(child.tail, inside), (child, inside)] if child.tail else [(child, inside)]
    return found


def tree(page):
    """Returns the tree as the cases write it."""
    parser = html5lib.HTMLParser(tree=html5lib.getTreeBuilder("etree"))
    parser.parse(page)
    text = parser.tree.testSerializer(parser.tree.document._element)
    lines = text.removeprefix("#document\n").split("\n")
    lines = [f"| {line}" if line.startswith("<!DOCTYPE") else line.replace("|  ", "| ", 1) for line in lines]
    return "\n".join(line.replace("<html ", "<", 1) for line in lines)


def answer(question):
    if question["expected"] is not None and tree(question["page"]) != question["expected"]:
        return None
    return places(question["page"], question["marks"])


json.dump(list(map(answer, json.load(sys.stdin))), sys.stdout)
