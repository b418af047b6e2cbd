#!/usr/bin/env python3
"""Measures how dense the code is, beside code bases that are held up as models: something to look at while working.

    python3 tests/measures.py              the whole of src/
    python3 tests/measures.py --rooms      a row for each room
    python3 tests/measures.py --longest    functions of more than 400 tokens, longest first

Tests, comments and blank lines are left out. A token is what rustc's lexer would take for one: a name, a literal, an operator.
The figures of the others are of their newest versions in 2026, by the same rules.
"""

import argparse
import os
import re
import statistics
import sys
from collections import Counter, defaultdict

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")

# ripgrep core, ast-grep, jj lib, jj cli, gix-ref, gix, rust-analyzer's ide-ssr
OTHERS = {
    "tokens a line": "7.6 to 8.2",
    "tokens a function, median": "18 to 100",
    "tokens a function, 9 of 10 below": "149 to 341",
    "functions above 400 tokens, %": "0.5 to 7.9",
    "lines above 100 characters, %": "0 to 2.9",
    "combinators, in 1,000 lines": "2 to 20",
    "named closures, in 1,000 lines": "0 to 2.1",
    "functions named by one word, %": "13 to 33",
    "types that share their name, %": "0 to 34",
    "comments in code, % of its lines": "0.9 to 9.4",
}

TOKEN = re.compile(
    r"""
    (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<raw>b?r(?P<hashes>\#*)".*?"(?P=hashes))
  | (?P<string>b?"(?:\\.|[^"\\])*")
  | (?P<char>b?'(?:\\(?:x[0-9a-fA-F]{2}|u\{[^}]*\}|.)|[^'\\\n])')
  | (?P<lifetime>'[A-Za-z_]\w*)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<number>\d[\w.]*?(?=\.\.|\.[A-Za-z_]|[^\w.]|$)\.?\d*)
  | (?P<operator><<=|>>=|\.\.=|\.\.\.|::|->|=>|==|!=|<=|>=|&&|\|\||\+=|-=|\*=|/=|%=|\^=|&=|\|=|<<|\.\.|[-+*/%^!&|=<>@.,;:\#$?~(){}\[\]])
    """,
    re.X | re.S,
)
COMBINATORS = (
    "map_or map_or_else and_then is_some_and is_none_or filter_map then then_some unwrap_or_default zip".split()
)
TEST_MODULE = re.compile(r"^#\[cfg\(test\)\]\n(?:#\[[^\n]*\n)*(?:pub(?:\([a-z]+\))? )?mod \w+ \{\n.*?^\}\n?", re.M | re.S)
TEST_FILE = re.compile(r"^#\[cfg\(test\)\]\n(?:pub(?:\([a-z]+\))? )?mod (\w+);", re.M)


def sources():
    """Returns the path and the text of each file of src/ that is no test, without its test module."""
    texts = {}
    tests = set()
    for folder, _, names in os.walk(os.path.join(ROOT, "src")):
        for name in sorted(names):
            if not name.endswith(".rs"):
                continue
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as file:
                text = file.read()
            texts[path] = text
            inside = folder if name in ("mod.rs", "lib.rs") else path[:-3]
            for module in TEST_FILE.findall(text):
                tests.update([os.path.join(inside, module + ".rs"), os.path.join(inside, module)])
    for path in sorted(texts):
        if not any(path == test or path.startswith(test + os.sep) for test in tests):
            yield os.path.relpath(path, os.path.join(ROOT, "src")), TEST_MODULE.sub("", texts[path])


def tokens(text):
    """Returns the kind, the text and the offset of each token, comments included."""
    return [(match.lastgroup, match.group(), match.start()) for match in TOKEN.finditer(text)]


def functions(code):
    """Yields the name, the count of tokens and the count of lines of each function with a body."""
    for at, (_, word, _) in enumerate(code):
        if word != "fn" or at + 1 >= len(code) or code[at + 1][0] != "word":
            continue
        depth, begun, end = 0, False, at
        while end < len(code):
            sign = code[end][1]
            if sign in "([{" and len(sign) == 1:
                depth += 1
                begun = begun or sign == "{" and depth == 1
            elif sign in ")]}" and len(sign) == 1:
                depth -= 1
                if begun and depth == 0:
                    break
            elif sign == ";" and depth == 0:
                break
            end += 1
        if begun:
            yield code[at + 1][1], end - at + 1


class Measured:
    """What is counted of some files."""

    def __init__(self):
        self.lines = self.code = self.tokens = self.comments = self.wide = self.combinators = self.closures = 0
        self.functions = []
        self.types = []

    def take(self, text):
        all_tokens = tokens(text)
        code = [token for token in all_tokens if token[0] not in ("comment", "hashes")]
        code_lines = {text.count("\n", 0, start) for _, _, start in code} if len(text) < 4000 else set()
        if not code_lines:
            starts, line, last = [], 0, 0
            for _, _, start in code:
                line += text.count("\n", last, start)
                last = start
                starts.append(line)
            code_lines = set(starts)
        lines = text.split("\n")
        self.code += len(code_lines)
        self.tokens += len(code)
        self.wide += sum(len(lines[line]) > 100 for line in code_lines)
        self.comments += sum(kind == "comment" and not word.startswith(("///", "//!")) for kind, word, _ in all_tokens)
        words = [word for _, word, _ in code]
        self.combinators += sum(
            word in COMBINATORS and words[at - 1] == "." for at, word in enumerate(words) if at
        )
        self.closures += len(re.findall(r"\blet (?:mut )?\w+(?:: [^=;]+)? =\s+(?:move )?\|", text))
        self.functions += functions(code)
        self.types += re.findall(r"^\s*(?:pub(?:\([a-z]+\))? )?(?:struct|enum|trait|type) ([A-Z]\w*)", text, re.M)

    def row(self, shared):
        sizes = sorted(size for _, size in self.functions) or [0]
        named = [name for name, _ in self.functions] or ["-"]
        share = lambda part, whole: 100 * part / max(whole, 1)
        return {
            "tokens a line": self.tokens / max(self.code, 1),
            "tokens a function, median": statistics.median(sizes),
            "tokens a function, 9 of 10 below": sizes[int(len(sizes) * 0.9) - (len(sizes) > 9)],
            "functions above 400 tokens, %": share(sum(size > 400 for size in sizes), len(sizes)),
            "lines above 100 characters, %": share(self.wide, self.code),
            "combinators, in 1,000 lines": 10 * share(self.combinators, self.code),
            "named closures, in 1,000 lines": 10 * share(self.closures, self.code),
            "functions named by one word, %": share(sum("_" not in name for name in named), len(named)),
            "types that share their name, %": share(sum(shared[name] > 1 for name in self.types), len(self.types)),
            "comments in code, % of its lines": share(self.comments, self.code),
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rooms", action="store_true", help="a row for each room")
    parser.add_argument("--longest", action="store_true", help="functions of more than 400 tokens")
    arguments = parser.parse_args()
    whole, rooms, longest = Measured(), defaultdict(Measured), []
    for path, text in sources():
        whole.take(text)
        rooms[path.split(os.sep)[0].removesuffix(".rs")].take(text)
        code = [token for token in tokens(text) if token[0] != "comment"]
        longest += [(size, path, name) for name, size in functions(code) if size > 400]
    shared = Counter(whole.types)
    if arguments.longest:
        for size, path, name in sorted(longest, reverse=True):
            print(f"{size:6}  {path}  {name}")
    elif arguments.rooms:
        names = list(OTHERS)
        print("| room | lines | " + " | ".join(names) + " |")
        print("|---|" + "---:|" * (len(names) + 1))
        for room, measured in sorted(rooms.items()):
            row = measured.row(shared)
            print(f"| {room} | {measured.code:,} | " + " | ".join(f"{row[name]:.1f}" for name in names) + " |")
    else:
        row = whole.row(shared)
        print(f"{whole.code:,} lines of code, {len(whole.functions):,} functions\n")
        print("| measure | here | others |\n|---|---:|---:|")
        for name, others in OTHERS.items():
            print(f"| {name} | {row[name]:.1f} | {others} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
