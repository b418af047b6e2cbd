"""Re-indents real Python code by CPython's own tokens, and judges what comes back by CPython's own syntax tree.

    reindent.py make < files > contents.jsonl  every function of these files, taken out of its place and given another unit
    reindent.py judge < results.jsonl          which results do not mean what the original means

Nothing here is shared with the program under test: levels come from INDENT and DEDENT tokens, roles from string tokens
and `ast` docstrings. A line of contents.jsonl is one function:

    {"path", "line", "parent", "unit", "base", "original", "content"}

`base` is the indentation that the function had, `original` its lines as they stand in the file, `content` the same
lines without that indentation and with `unit` (spaces, or a tab) for each level; unit "" is the function with its
common margin taken off and nothing else.
"""

import ast
import io
import inspect
import json
import sys
import tokenize

UNITS = ["  ", "   ", "        ", "\t"]
# Every function is made in one unit, by turns; each of these in all of them.
IN_ALL_UNITS = 8

CODE, CONTINUATION, DOCSTRING, FROZEN, BLANK = range(5)


class Line:
    """A physical line: what it is, the line that it depends on, and how deep CPython says it is."""

    __slots__ = ("text", "role", "of", "levels")

    def __init__(self, text):
        self.text = text
        self.role = BLANK
        self.of = None
        self.levels = None  # columns of the open levels, the line's own last

    @property
    def white(self):
        return self.text[: len(self.text) - len(self.text.lstrip(" \t"))]

    @property
    def empty(self):
        return not self.text.strip()


def is_text(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def is_assignment(node):
    """Says whether it assigns to a name or an attribute of names, or gives that a type."""
    target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
    while isinstance(target, ast.Attribute):
        target = target.value
    return isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(target, ast.Name)


def docstrings(tree):
    """Returns the statements that document a module, a class, a function, or the attribute that is assigned above them."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)):
            found.extend(statement for statement in node.body[:1] if is_text(statement))
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            pairs = zip(block, block[1:]) if isinstance(block, list) else ()
            found.extend(text for assigned, text in pairs if is_assignment(assigned) and is_text(text) and assigned.end_lineno < text.lineno)
    return found


def docstring_lines(tree):
    """Returns the lines on which a docstring goes on."""
    return {line for text in docstrings(tree) for line in range(text.lineno + 1, text.end_lineno + 1)}


def classified(source, tree):
    """Returns the lines of `source` from 1 on, each with its role."""
    lines = [Line("")] + [Line(text) for text in source.split("\n")]
    docstrings = docstring_lines(tree)
    levels = [0]
    begins = None
    opened = []  # where f-strings that are still open began
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        kind, (row, column), (end_row, _) = token.type, token.start, token.end
        name = tokenize.tok_name[kind]
        if kind == tokenize.INDENT:
            levels.append(len(token.string))
        elif kind == tokenize.DEDENT:
            levels.pop()
        elif kind == tokenize.COMMENT and begins is None:
            lines[row].role, lines[row].levels = CODE, list(levels)
        elif kind in (tokenize.NL, tokenize.ENDMARKER, tokenize.COMMENT):
            pass
        elif kind == tokenize.NEWLINE:
            begins = None
        else:
            if begins is None:
                begins = row
                lines[row].role, lines[row].levels = CODE, list(levels)
            first = row
            if name == "FSTRING_START":
                opened.append(row)
            if name == "FSTRING_END":
                first = opened.pop()
            multi = kind == tokenize.STRING or name == "FSTRING_END"
            for inside in range(first + 1, end_row + 1) if multi else ():
                lines[inside].role = DOCSTRING if inside in docstrings else FROZEN
                lines[inside].of = first
            if row > begins and lines[row].role == BLANK:
                lines[row].role, lines[row].of = CONTINUATION, begins
            continue
        if begins is not None and kind == tokenize.COMMENT and row > begins and lines[row].role == BLANK:
            lines[row].role, lines[row].of = CONTINUATION, begins
    below = [0]
    for line in reversed(lines[1:]):
        if line.empty and line.role != FROZEN:
            line.role = BLANK
        if line.role == CODE and not line.text.lstrip().startswith("#"):
            below = line.levels
        elif line.role == CODE and len(line.white) in below:
            # CPython opens a level at the statement; a comment in its column belongs to it.
            line.levels = below
    return lines


def margin_off(lines):
    """Returns the lines without the white space that all of them begin with; frozen ones keep theirs."""
    margin = None
    for line in lines:
        if line.role in (FROZEN, BLANK):
            continue
        if margin is None:
            margin = line.white
        while not line.white.startswith(margin):
            margin = margin[:-1]
    cut = len(margin or "")
    return [line.text if line.role == FROZEN else "" if line.role == BLANK else line.text[cut:] for line in lines]


def reindented(all_lines, first, last, depth, old_unit, unit):
    """Returns the lines from `first` to `last`, `unit` for every level beyond `depth`."""
    new_white = {}
    out = []
    bodies = {}
    for number in range(first, last + 1):
        line = all_lines[number]
        if line.role == DOCSTRING:
            bodies.setdefault(line.of, []).append(line)

    def shift(white, old, new):
        while old and new and old[-1] == new[-1]:
            old, new = old[:-1], new[:-1]
        return new + white[len(old) :] if white.startswith(old) else None

    for number in range(first, last + 1):
        line = all_lines[number]
        white = line.white
        if line.role == CODE:
            columns = [column for column in line.levels if column <= len(white)]
            level = max(len(columns) - 1 - depth, 0)
            beyond = len(white) - columns[-1] if len(columns) - 1 >= depth else 0
            # Only a comment stands beyond its level; among tabs it must not stand on spaces.
            new = unit * (level + beyond // old_unit) if unit == "\t" else unit * level + " " * beyond
        elif line.role == CONTINUATION and line.of in new_white:
            old, begins = all_lines[line.of].white, new_white[line.of]
            offset = len(white) - len(old)
            if offset in (old_unit, 2 * old_unit):
                new = begins + unit * (offset // old_unit)
            elif offset >= 0:
                new = begins + " " * offset
            else:
                new = shift(white, old, begins)
                new = "" if new is None else new
        elif line.role == DOCSTRING and line.of in new_white:
            old, begins = all_lines[line.of].white, new_white[line.of]
            moves = all(shift(other.white, old, begins) is not None for other in bodies[line.of])
            new = shift(white, old, begins) if moves else white
        elif line.role == BLANK:
            out.append("")
            continue
        else:
            out.append(line.text)
            continue
        new_white[number] = new
        out.append(new + line.text[len(white) :])
    return out


def functions(tree):
    """Returns each function with its first line and what it stands in: "function", "class" or nothing."""
    waiting = [(tree, None)]
    while waiting:
        node, parent = waiting.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node, min([node.lineno] + [decorator.lineno for decorator in node.decorator_list]), parent
            parent = "function"
        elif isinstance(node, ast.ClassDef):
            parent = "class"
        waiting.extend((child, parent) for child in reversed(list(ast.iter_child_nodes(node))))


def make(paths):
    count = 0
    for path in paths:
        try:
            with tokenize.open(path) as file:
                source = file.read()
            tree = ast.parse(source)
            lines = classified(source, tree)
        except (SyntaxError, UnicodeDecodeError, tokenize.TokenError):
            continue
        if "\t" in source or "\r" in source or "\x0c" in source:
            continue
        for node, first, parent in functions(tree):
            last = node.end_lineno
            own = lines[first : last + 1]
            shares = lines[first].text[: node.col_offset].strip() if first == node.lineno else False
            tail = lines[last].text.encode()[node.end_col_offset :].strip()
            if shares or (tail and not tail.startswith(b"#")) or lines[first].levels is None:
                continue
            depth = len(lines[first].levels) - 1
            deep = next((line for line in own if line.role == CODE and len(line.levels) == depth + 2), None)
            old_unit = deep.levels[-1] - deep.levels[-2] if deep else 4
            record = {"path": path, "line": first, "parent": parent, "base": lines[first].white}
            record["original"] = "\n".join("" if line.role == BLANK else line.text for line in own)
            print(json.dumps(record | {"unit": "", "content": "\n".join(margin_off(own))}))
            count += 1
            for unit in UNITS if count % IN_ALL_UNITS == 0 else [UNITS[count % len(UNITS)]]:
                content = "\n".join(reindented(lines, first, last, depth, old_unit, unit))
                print(json.dumps(record | {"unit": unit, "content": content}))


def meaning(text):
    """Returns the tree that CPython makes of a function, its docstrings as `inspect` would show them, but for white
    space at the end of lines."""
    indented = text[:1] in (" ", "\t")
    text = "if 1:\n" + text if indented else text
    tree = ast.parse(text)
    if indented:
        tree = ast.Module(tree.body[0].body, [])
    for docstring in [statement.value for statement in docstrings(tree)]:
        # An escaped line ending joins lines, so that moving them moves words apart: only the words are compared.
        words = "\\" in "".join(text.split("\n")[docstring.lineno - 1 : docstring.end_lineno])
        clean = inspect.cleandoc(docstring.value)
        lines = clean.split() if words else (line.rstrip() for line in clean.split("\n"))
        docstring.value = "\n".join(lines).strip()
    return ast.dump(tree)


def judge():
    """Reads {"original", "result"} a line; prints those that mean something else, and the numbers."""
    total, same, different = 0, 0, 0
    for row in sys.stdin:
        record = json.loads(row)
        total += 1
        if record["result"] == record["original"]:
            same += 1
            continue
        try:
            equal = meaning(record["result"]) == meaning(record["original"])
        except SyntaxError as error:
            equal, record["error"] = False, str(error)
        if not equal:
            different += 1
            print(json.dumps(record))
    print(json.dumps({"total": total, "same_bytes": same, "different": different}))


if __name__ == "__main__":
    if sys.argv[1:] == ["make"]:
        make(sys.stdin.read().splitlines())
    elif sys.argv[1:] == ["judge"]:
        judge()
    else:
        sys.exit(__doc__)
