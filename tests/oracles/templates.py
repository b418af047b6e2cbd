"""Reads the templates below a folder with Jinja itself.

    python templates.py FOLDER

Prints a line of JSON for each file: `{"path": …, "source": …, "pieces": [[sort, text], …], "blocks": [[name, line], …]}`. The
sorts are `text`, `value`, `tag`, `note` and `raw`; white space is left out of tags and values, and pieces without text altogether.
`pieces` is null for a file that Jinja's lexer refuses, `blocks` for one that its parser does.
"""

import json
import pathlib
import re
import sys

import jinja2

ENVIRONMENT = jinja2.Environment(
    keep_trailing_newline=True, extensions=["jinja2.ext.i18n", "jinja2.ext.do", "jinja2.ext.loopcontrols"]
)
SORTS = {"variable_begin": "value", "block_begin": "tag", "comment_begin": "note", "raw_begin": "raw"}
ENDS = {"variable_end", "block_end", "comment_end", "raw_end"}


def pieces(source):
    found, inside = [], None
    for _, token, text in ENVIRONMENT.lex(source):
        if token in SORTS:
            inside = [SORTS[token], ""]
        elif token in ENDS:
            found.append(inside)
            inside = None
        elif inside is None:
            found.append(["text", text])
        else:
            inside[1] += text
    for piece in found:
        if piece[0] in ("value", "tag"):
            piece[1] = "".join(piece[1].split())
    return [piece for piece in found if piece[1]]


def told(path):
    source = path.read_text(encoding="utf-8")
    source = "\n".join(re.split("\r\n|\r|\n", source))
    case = {"path": str(path), "source": source, "pieces": None, "blocks": None}
    try:
        case["pieces"] = pieces(source)
        tree = ENVIRONMENT.parse(source)
        case["blocks"] = [[block.name, block.lineno] for block in tree.find_all(jinja2.nodes.Block)]
    except jinja2.TemplateSyntaxError:
        pass
    return case


for each in sorted(pathlib.Path(sys.argv[1]).rglob("*")):
    if each.is_file():
        try:
            print(json.dumps(told(each)))
        except UnicodeDecodeError:
            continue
