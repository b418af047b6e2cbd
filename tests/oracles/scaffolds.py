"""Makes scaffolded files with Jinja itself, edits them as people do, and says where each block then is.

    python scaffolds.py SEED FAMILIES

Prints a line of JSON for each file: `{"templates": {path: text}, "file": text, "edits": n, "alike": bool, "inline": [names],
"blocks": {name: [first, behind]}, "others": [[token]]}`. A family is four templates, each extending the next. The file is what Jinja renders of the
first, with every block's beginning and end told by the very call that renders it, so that the marks have no part in white
space. Extents are numbers of lines that are not blank: the first in the block, and the one behind it. `inline` names the blocks that share
a line with something else or are rendered more than once: they have no extent. `others` is what else the same templates come to
with other values, as lines (` text`), values of any number of lines (`?`), and beginnings (`<name`) and ends (`>name`) of blocks: what the file may have been before it
was edited. It is told once for a family, with its first file.

A hand inserts, deletes, changes, repeats and replaces lines anywhere, inside blocks or not. What it inserts between the
template's own line and a block belongs to the block, by the definition that the program gives; where blocks meet, it belongs to
one of them by chance.
"""

import itertools
import json
import random
import sys

import jinja2
from jinja2.runtime import Context

OPEN, BAR, CLOSE, ANY = "\ue000", "\ue001", "\ue002", "\ue003"


class Blocks(dict):
    """The blocks of a context; what renders one comes wrapped in its marks."""

    def __setitem__(self, name, functions):
        super().__setitem__(name, Tiers(name, functions))

    def setdefault(self, name, functions):
        if name not in self:
            self[name] = functions
        return self[name]

    def update(self, other):
        for name, functions in dict(other).items():
            self[name] = functions


class Tiers(list):
    def __init__(self, name, functions):
        super().__init__(list.__iter__(functions) if isinstance(functions, list) else functions)
        self.name = name

    def __getitem__(self, at):
        function = super().__getitem__(at)
        if at != 0:
            return function

        def marked(context):
            yield f"{OPEN}{self.name}{BAR}"
            yield from function(context)
            yield f"{CLOSE}{self.name}{BAR}"

        return marked


class Marking(Context):
    def __init__(self, environment, parent, name, blocks, globals=None):
        super().__init__(environment, parent, name, blocks, globals)
        plain = self.blocks
        self.blocks = Blocks()
        self.blocks.update(plain)


PYTHON = {
    "head": ["import os", "import sys", "from typing import Any", "LIMIT = {n}", "logger = get_logger({n})"],
    "open": ["class {{{{ name }}}}{n}(Base):", "def process_{n}(self, data):", "if ready({n}):", "for row in rows_{n}:", "try:"],
    "line": ["value = compute({n})", "self.items.append({n})", "return result", "pass", "log('step {n}')", "raise NotImplementedError",
             "# step {n}", "result = None", "x = 1", "return None", "{{{{ word }}}} = load('{{{{ word }}}}', {n})", "{{{{ lines }}}}"],
    "shut": ["", "", "# end of {n}", "done({n})", "return result"],
}
BRACES = {
    "head": ["import fs from 'fs';", "'use strict';", "const LIMIT = {n};", "// part {n}"],
    "open": ["function f{n}() {{", "if (ready({n})) {{", "for (const row of rows{n}) {{", "class {{{{ name }}}}{n} {{"],
    "line": ["value = compute({n});", "items.push({n});", "return;", "return result;", "// step {n}", "break;",
             "load('{{{{ word }}}}', {n});", "{{{{ lines }}}}", "x++;"],
    "shut": ["}}", "}}", "}}  // {n}", "}});"],
}
TEXT = {
    "head": ["# {{{{ name }}}} {n}", "## Part {n}", "---", "[section-{n}]"],
    "open": ["### Step {n}", "- Item {n}:", "[group-{n}]", "| a | {n} |"],
    "line": ["Some words about {n}.", "- a", "- b", "key_{n} = {{{{ word }}}}", "same = yes", "| - | - |", "{{{{ lines }}}}", "> quoted {n}"],
    "shut": ["", "", "That was {n}.", "---"],
}


LINES = ["", "one line", "two\nlines", "three\nmore\n\nlines"]


class Family:
    """Templates that extend each other."""

    def __init__(self, dice):
        self.dice = dice
        self.words = dice.choice([PYTHON, PYTHON, BRACES, TEXT])
        self.next_block = 0
        self.known = []
        self.tight = dice.random() < 0.3
        # Lines that are alike make it hard to tell one from the other: half of the families have many.
        self.alike = dice.random() < 0.5
        self.templates = {}
        tiers = ["leaf", "mid", "low", "root"]
        sources = {"root": self.root()}
        for at, tier in reversed(list(enumerate(tiers[:-1]))):
            sources[tier] = self.child(tiers[at + 1])
        for tier, text in sources.items():
            self.templates[f"{tier}.txt.jinja2"] = text

    def number(self):
        return self.dice.randrange(60 if self.alike else 9000)

    def text(self, kind, depth):
        words = self.words[kind]
        if not self.alike and kind in ("line", "head"):
            words = [line for line in words if "{n}" in line] * 4 + words
        line = self.dice.choice(words).format(n=self.number())
        return "    " * depth + line if line else ""

    def tag(self, inner):
        signs = ["", "", "", "-"] if self.tight else [""]
        return f"{{%{self.dice.choice(signs)} {inner} {self.dice.choice(signs)}%}}"

    def name(self):
        self.next_block += 1
        name = f"b{self.next_block}"
        self.known.append(name)
        return name

    def block(self, depth, level, can_nest=True):
        name = self.name()
        end = f"endblock {name}" if self.dice.random() < 0.3 else "endblock"
        pad = "    " * depth if self.dice.random() < 0.5 else ""
        if self.dice.random() < 0.08:
            return [f"{pad}{{% block {name} %}}{self.text('line', 0)}{{% {end} %}}"]
        inner = self.body(depth, level + 1) if can_nest else [self.text("line", depth)]
        scoped = " scoped" if self.dice.random() < 0.1 else ""
        return [pad + self.tag(f"block {name}{scoped}"), *inner, pad + self.tag(end)]

    def body(self, depth, level):
        """Returns some lines, with blocks in them."""
        lines = []
        for _ in range(self.dice.choice([0, 1, 2, 2, 3, 4])):
            roll = self.dice.random()
            if roll < 0.55:
                lines.append(self.text("line", depth))
            elif roll < 0.62:
                lines.append("")
            elif roll < 0.67:
                lines.append(f"{{# a note {self.number()} #}}")
            elif roll < 0.71:
                lines.append(f"{{% set v{self.number()} = {self.number()} %}}")
            elif roll < 0.77:
                lines += ["{% if flag %}", self.text("line", depth), "{% else %}", self.text("line", depth), "{% endif %}"]
            elif roll < 0.82:
                inner = self.block(depth, 9, False) if self.dice.random() < 0.3 else [self.text("line", depth)]
                lines += [f"{{% {self.dice.choice(['if flag', 'if not flag'])} %}}", *inner, "{% endif %}"]
            elif roll < 0.86:
                lines += ["{% for i in few %}", "    " * depth + "each {{ i }}", "{% endfor %}"]
            elif roll < 0.9:
                lines += ["{% with a = 1 %}", self.text("line", depth), "{% endwith %}"]
            elif level < 3:
                lines += self.block(depth, level)
        return lines

    def root(self):
        lines = ["# template=leaf version=0f7309e4 created=2026-01-27T15:35Z updated="]
        lines += [self.text("head", 0) for _ in range(self.dice.randrange(4))]
        for _ in range(self.dice.choice([2, 3, 4, 5])):
            if self.dice.random() < 0.25:
                lines += self.block(0, 0)
            if self.dice.random() < 0.8:
                lines.append(self.text("open", 0))
                lines += [self.text("line", 1) for _ in range(self.dice.choice([0, 0, 1, 2]))]
                lines += self.block(1, 0)
                if self.dice.random() < 0.3:
                    lines += self.block(1, 0)
                lines += [self.text("line", 1) for _ in range(self.dice.choice([0, 0, 1]))]
                lines.append(self.text("shut", 0))
            lines += [""] * self.dice.choice([0, 1, 1, 2])
        if self.dice.random() < 0.5:
            lines.append(self.text("shut", 0))
        return "\n".join(lines) + "\n"

    def child(self, parent):
        lines = [f'{{% extends "{parent}.txt.jinja2" %}}']
        for name in self.dice.sample(self.known, min(len(self.known), self.dice.randrange(5))):
            inner = self.body(1, 2)
            if self.dice.random() < 0.5:
                inner.insert(self.dice.choice([0, len(inner)]), "{{ super() }}")
            lines += ["", self.tag(f"block {name}"), *inner, self.tag("endblock")]
        return "\n".join(lines) + "\n"

    def rendered(self):
        dice = self.dice
        environment = jinja2.Environment(
            loader=jinja2.DictLoader(self.templates),
            trim_blocks=dice.random() < 0.5,
            lstrip_blocks=dice.random() < 0.5,
            keep_trailing_newline=dice.random() < 0.5,
        )
        environment.context_class = Marking
        values = {
            "name": dice.choice(["Order", "Mail"]),
            "word": dice.choice(["alpha", "beta"]),
            "lines": dice.choice(LINES),
            "flag": dice.random() < 0.5,
            "few": list(range(dice.randrange(3))),
        }
        self.template, self.values = environment.get_template("leaf.txt.jinja2"), values
        return self.template.render(values)

    def others(self):
        """Returns all that the templates come to, as words that tell lines and blocks."""
        found = set()
        for flag, few in itertools.product([False, True], range(3)):
            values = {**self.values, "lines": ANY, "flag": flag, "few": list(range(few))}
            signs = {"line": " ", OPEN: "<", CLOSE: ">"}
            told, _ = tokens(self.template.render(values))
            words = ["?" if ANY in text else signs[kind] + text.strip() for kind, text in told]
            found.add(tuple(word for word in words if word != " "))
        return sorted(found)


def tokens(marked):
    """Turns rendered text with marks into lines and, between them, beginnings and ends of blocks. Returns them with the names of
    blocks that begin or end within a line, whose marks are left out."""
    parts, at = [], 0
    while at < len(marked):
        letter = marked[at]
        if letter in (OPEN, CLOSE):
            bar = marked.index(BAR, at)
            parts.append((letter, marked[at + 1 : bar]))
            at = bar + 1
        else:
            end = min((place for place in (marked.find(each, at) for each in (OPEN, CLOSE, "\n")) if place >= 0), default=len(marked))
            if end > at:
                parts.append(("text", marked[at:end]))
            if marked[end : end + 1] == "\n":
                parts.append(("newline", ""))
                end += 1
            at = end
    found, inline, line = [], set(), []
    for part in [*parts, ("newline", "")]:
        if part[0] != "newline":
            line.append(part)
            continue
        text = "".join(words for kind, words in line if kind == "text")
        ahead, behind, seen = [], [], ""
        for kind, words in line:
            if kind == "text":
                seen += words
            elif not seen.strip():
                ahead.append((kind, words))
            elif not text[len(seen) :].strip():
                behind.append((kind, words))
            else:
                inline.add(words)
        found += [*ahead, ("line", text), *behind]
        line = []
    names = [words for kind, words in found if kind == OPEN]
    inline |= {name for name in names if names.count(name) > 1}
    return [token for token in found if token[0] == "line" or token[1] not in inline], inline


class Hand:
    """Edits lines as people do."""

    def __init__(self, dice, found, family):
        self.dice, self.found, self.family = dice, found, family
        # A line that was written twice is not taken away, and one that was taken away is not written elsewhere: the file would
        # be the same as if it had stayed, and no reader could tell.
        self.copied, self.gone = set(), set()

    def new_line(self):
        while True:
            line = self.some_line()
            words = line[1].strip()
            if words not in self.gone or len(words) < 7:
                self.copied.add(words)
                return line

    def some_line(self):
        if self.dice.random() < 0.3:
            return ("line", self.dice.choice([words for kind, words in self.found if kind == "line"]))
        word = self.dice.choice(["frobnicate", "tune", "weigh", "sort_out"])
        number = self.dice.randrange(1000)
        return ("line", "    " * self.dice.randrange(3) + self.dice.choice([f"{word}({number})", f"{word} = {number}", "pass", "}", "return result", ""]))

    def is_blank(self, at):
        kind, words = self.found[at]
        return kind == "line" and not words.strip()

    def lines(self):
        return [at for at, (kind, words) in enumerate(self.found) if kind == "line" and words.strip()]

    def insert(self):
        at = self.dice.randrange(1, len(self.found) + 1)
        # Between the template's own line and a block is in the block, blank lines or not.
        ahead, behind = at - 1, at
        while ahead > 0 and self.is_blank(ahead):
            ahead -= 1
        while behind < len(self.found) and self.is_blank(behind):
            behind += 1
        kinds = [self.found[place][0] if place < len(self.found) else "line" for place in (ahead, behind)]
        if kinds == ["line", OPEN]:
            at = behind + 1
        elif kinds == [CLOSE, "line"]:
            at = ahead
        self.found[at:at] = [self.new_line() for _ in range(self.dice.choice([1, 1, 1, 2, 3, 6]))]

    def delete(self):
        lines = [at for at in self.lines() if at > 0]
        if not lines:
            return
        at = self.dice.choice(lines)
        for _ in range(self.dice.choice([1, 1, 2, 3])):
            if at < len(self.found) and self.found[at][0] == "line" and self.found[at][1].strip() not in self.copied:
                self.gone.add(self.found.pop(at)[1].strip())

    def change(self):
        lines = [at for at in self.lines() if at > 0]
        if lines:
            at = self.dice.choice(lines)
            words = self.found[at][1]
            if words.strip() in self.copied:
                return
            self.gone.add(words.strip())
            place = self.dice.randrange(len(words) + 1)
            self.found[at] = ("line", words[:place] + self.dice.choice(["x", "42", "_new"]) + words[place:])

    def fill(self):
        """Replaces all of a block, as is usual with one that waits for it."""
        opens = [at for at, (kind, _) in enumerate(self.found) if kind == OPEN]
        if not opens:
            return
        at = self.dice.choice(opens)
        end = self.found.index((CLOSE, self.found[at][1]))
        if all(kind == "line" for kind, _ in self.found[at + 1 : end]):
            self.gone.update(words.strip() for _, words in self.found[at + 1 : end])
            self.found[at + 1 : end] = [self.new_line() for _ in range(self.dice.randrange(8))]

    def indent(self):
        lines = self.lines()
        at = self.dice.choice(lines)
        for step in range(at, min(at + 4, len(self.found))):
            if self.found[step][0] == "line" and step > 0:
                self.found[step] = ("line", "    " + self.found[step][1])

    def work(self, edits):
        for _ in range(edits):
            self.dice.choices([self.insert, self.delete, self.change, self.fill, self.indent], [6, 2, 3, 5, 1])[0]()


def extents(found):
    count, starts, blocks = 0, {}, {}
    for kind, words in found:
        if kind == "line":
            count += bool(words.strip())
        elif kind == OPEN:
            starts[words] = count
        else:
            blocks[words] = [starts[words], count]
    return blocks


def main():
    seed, families = int(sys.argv[1]), int(sys.argv[2])
    for number in range(families):
        dice = random.Random(f"{seed} {number}")
        family = Family(dice)
        found, inline = tokens(family.rendered())
        others = family.others()
        for edits in (0, 0, 1, 2, 4, 8):
            hand = Hand(dice, list(found), family)
            hand.work(edits)
            text = "\n".join(words for kind, words in hand.found if kind == "line")
            print(json.dumps({
                "templates": family.templates,
                "file": text + dice.choice(["", "\n"]),
                "edits": edits,
                "alike": family.alike,
                "inline": sorted(inline),
                "blocks": extents(hand.found),
                "others": others,
            }))
            others = []


main()
