"""The files that are edited and read: made of Python's standard library, the same each time on the same Python.

A file is text with spots in it; a spot is a definition one line of which holds a number, so that every run can write
content that no run wrote before and that all peers of a turn agree on."""

import ast
import builtins
import functools
import os
import re
import symtable
import sysconfig
import textwrap

MARK = "@TOKEN@"


class Spot:
    """A definition that is edited: its symbol, and its lines with `MARK` in one of them."""

    def __init__(self, symbol, template):
        self.symbol = symbol
        self.template = template

    def content(self, token):
        """Returns the definition as a user would hand it over: not indented."""
        return textwrap.dedent(self.template).replace(MARK, str(token))


class File:
    """A path, and a text with spots."""

    def __init__(self, path, *parts):
        self.path = path
        self.spots = [part for part in parts if isinstance(part, Spot)]
        self.template = "".join(part.template if isinstance(part, Spot) else part for part in parts)

    def text(self, token):
        return self.template.replace(MARK, str(token))

    def patch(self, old, new):
        """Returns what `git diff` would say of the change from one token to another: a hunk for each spot."""
        lines = self.template.splitlines()
        said = [f"diff --git a/{self.path} b/{self.path}", f"--- a/{self.path}", f"+++ b/{self.path}"]
        for at in (at for at, line in enumerate(lines) if MARK in line):
            first, last = max(at - 3, 0), min(at + 4, len(lines))
            said.append(f"@@ -{first + 1},{last - first} +{first + 1},{last - first} @@")
            said += [" " + line for line in lines[first:at]]
            said += ["-" + lines[at].replace(MARK, str(old)), "+" + lines[at].replace(MARK, str(new))]
            said += [" " + line for line in lines[at + 1 : last]]
        return "\n".join(said) + "\n"


@functools.cache
def library():
    """Returns the standard library's modules as (name, text), tests left out."""
    folder = sysconfig.get_path("stdlib")
    modules = []
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(
            set(folders) - {"test", "tests", "idlelib", "lib2to3", "site-packages", "dist-packages", "__pycache__"}
        )
        for name in sorted(name for name in names if name.endswith(".py")):
            with open(os.path.join(place, name), encoding="utf-8", newline="") as file:
                try:
                    modules.append((os.path.relpath(os.path.join(place, name), folder), file.read()))
                except UnicodeDecodeError:
                    continue
    return modules


@functools.cache
def pieces():
    """Returns a thousand functions and classes of the library, of 10 to 40 lines, as (name, head, rest)."""
    found = []
    for _, text in library():
        lines = text.splitlines()
        for node in ast.parse(text).body:
            is_plain = isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.decorator_list
            if is_plain and 10 <= node.end_lineno - node.lineno + 1 <= 40 and "adjust" not in lines[node.lineno - 1]:
                head, _, rest = "\n".join(lines[node.lineno - 1 : node.end_lineno]).partition(node.name)
                found.append((node.name, head, rest))
        if len(found) >= 1000:
            break
    return found[:1000]


def piece(number):
    """Returns the n-th of an endless row of definitions, each under a name of its own."""
    name, head, rest = pieces()[number % len(pieces())]
    return f"{head}{name}_{number}{rest}\n"


@functools.cache
def needs(number):
    """Returns the names that the n-th definition reads and does not define."""
    names, open_tables = set(), [symtable.symtable(piece(number), "piece", "exec")]
    while open_tables:
        table = open_tables.pop()
        is_module = table.get_type() == "module"
        for symbol in table.get_symbols():
            is_free = symbol.is_global() or is_module and not symbol.is_assigned()
            if symbol.is_referenced() and is_free and not hasattr(builtins, symbol.get_name()):
                names.add(symbol.get_name())
        open_tables += table.get_children()
    own = {symbol.get_name() for symbol in symtable.symtable(piece(number), "piece", "exec").get_symbols()}
    return names - {name for name in own if re.search(rf"^(def|class) {name}\b", piece(number), re.M)}


def imports(numbers):
    """Returns the statement that brings what these definitions read, as the modules that they are from have it."""
    names = sorted(set().union(*(needs(number % len(pieces())) for number in numbers)))
    listed = textwrap.fill(", ".join(names), 88, initial_indent="    ", subsequent_indent="    ")
    return f"\nfrom library import (\n{listed},\n)\n" if names else ""


def real(path, number):
    """Returns a whole module of the library, marked so that no two are the same."""
    name, text = library()[number % len(library())]
    return File(path, f"# {number}: {name}\n{text}")


METHOD = f"""\
    def adjust(self, value):
        total = value
        for step in range({MARK}):
            total += step
        return total"""


def small(path, number):
    """Returns a module of about 45 lines with a method to edit."""
    numbers, text = [number], f"\n\n{piece(number)}"
    while text.count("\n") < 28:
        numbers.append(numbers[-1] + 7919)
        text += f"\n\n{piece(numbers[-1])}"
    text = f'"""The {number}th module."""\n{imports(numbers)}{text}'
    methods = "\n\n    def settle(self):\n        return self.adjust(1)\n"
    return File(path, f"{text}\n\nclass Worker:\n    limit = 3\n\n", Spot("Worker.adjust", METHOD), methods)


def one_method(path):
    """Returns `textwrap.py` with its method `TextWrapper.wrap` to edit, without blank lines, which ast-grep would indent."""
    text = dict(library())["textwrap.py"]
    wrapper = next(node for node in ast.parse(text).body if isinstance(node, ast.ClassDef) and node.name == "TextWrapper")
    method = next(node for node in wrapper.body if isinstance(node, ast.FunctionDef) and node.name == "wrap")
    lines = text.splitlines(True)
    first, body, last = method.lineno - 1, method.body[1].lineno - 1, method.end_lineno
    template = "".join(lines[first:body]) + f"        self.token = {MARK}\n" + "".join(lines[body:last])
    template = "\n".join(line for line in template.splitlines() if line.strip())
    return File(path, "".join(lines[:first]), Spot("TextWrapper.wrap", template), "\n" + "".join(lines[last:]))


def large(path, lines, edits):
    """Returns a module of about `lines` lines with `edits` functions to edit, evenly among the library's."""
    parts, count, number = ['"""A module."""\n'], 1, 0
    for index in range(edits):
        while count < lines * (index + 0.5) / edits:
            text = f"\n\n{piece(number)}"
            parts.append(text)
            count += text.count("\n")
            number += 1
        name = f"edited_{index}"
        template = re.sub(r"^    ", "", METHOD, flags=re.M).replace("adjust(self, value)", f"{name}(value)")
        parts += ["\n\n", Spot(name, template), "\n"]
        count += 7
    while count < lines:
        text = f"\n\n{piece(number)}"
        parts.append(text)
        count += text.count("\n")
        number += 1
    parts[0] += imports(range(number))
    return File(path, *parts)


def guide(path, lines):
    """Returns a Markdown file of about `lines` lines: sections with the library's docstrings, lists, tables and code."""
    parts, count, number = [f"# A guide, edition {MARK}\n"], 1, 0
    while count < lines:
        name, head, rest = pieces()[number % len(pieces())]
        code = f"{head}{name}{rest}"
        said = ast.get_docstring(ast.parse(code).body[0]) or f"Nothing is said of `{name}`."
        level = "###" if number % 4 else "##"
        text = f"\n{level} {name.strip('_')} {number}\n\n{said}\n\n- *{name}* at [{number}](#{number})\n- `{name}`\n"
        if number % 3 == 0:
            text += "\n| name | number |\n|---|---|\n" + "".join(f"| `{name}` | {row} |\n" for row in range(4))
        if number % 2 == 0:
            text += f"\n```python\n{code}\n```\n"
        parts.append(text)
        count += text.count("\n")
        number += 1
    return File(path, "".join(parts))
