"""Renames definitions of real packages and back again, and asks other engines whether a reference was left out.

    python3 benches/renames.py [--most N] [--seed N] [--binary PATH] [--work FOLDER] [--tools PYTHON] [--show N]

The packages are pinned and fetched by pip into FOLDER, each a repository of its own. Definitions are picked at random, of every kind alike.
For each: all places are listed; it is renamed to a fresh name on a branch, every changed file has to compile, and renaming it back has
to give the same tree. Every place that jedi or pyright calls a reference has to be certain, unsure or a mention: `left` counts those
that are called something else. `alone` counts places that are certain and that neither of them lists. PYTHON is an interpreter
that has jedi and pyright; without one nothing is compared.
"""

import argparse
import ast
import collections
import json
import os
import pathlib
import random
import subprocess
import sys
import tarfile
import threading

PACKAGES = ["requests==2.32.5", "click==8.3.1", "flask==3.1.2", "networkx==3.5"]
FRESH = "zq_fresh"


def fetch(work):
    """Returns the folder of each package as a repository."""
    folders = []
    for package in PACKAGES:
        name, version = package.split("==")
        folder = work / f"{name}-{version}"
        if not folder.exists():
            subprocess.run(
                [sys.executable, "-m", "pip", "download", "-q", "--no-binary", ":all:", "--no-deps", "-d", work, package],
                check=True,
            )
            with tarfile.open(work / f"{name}-{version}.tar.gz") as archive:
                archive.extractall(work, filter="data")
            git = ["git", "-C", folder, "-c", "user.name=x", "-c", "user.email=x@example.org"]
            subprocess.run([*git, "init", "-q"], check=True)
            subprocess.run([*git, "add", "-fA"], check=True)
            subprocess.run([*git, "commit", "-qm", "first"], check=True)
        folders.append(folder)
    return folders


def definitions(folder):
    """Yields kind, path, symbol, line and column of what can be renamed."""
    for file in sorted(folder.rglob("*.py")):
        path = file.relative_to(folder).as_posix()
        try:
            tree = ast.parse(file.read_bytes())
        except (SyntaxError, ValueError):
            continue
        text = file.read_text().split("\n")

        def column(node, name):
            """Where the name is on the line of the definition."""
            line = text[node.lineno - 1]
            word = "class " if isinstance(node, ast.ClassDef) else "def "
            at = line.find(word + name, len(line[: node.col_offset].encode().decode()) if line.isascii() else 0)
            return at + len(word)

        def walk(body, around, inside):
            for node in body:
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    symbol = ".".join([*around, node.name])
                    decorators = {ast.unparse(it).split(".")[-1] for it in node.decorator_list}
                    kind = {"class": "method", "function": "nested"}.get(inside, "function")
                    if kind == "method" and decorators & {"property", "cached_property"}:
                        kind = "property"
                    if not node.name.startswith("__"):
                        yield kind, path, symbol, node.lineno, column(node, node.name)
                    arguments = node.args
                    for argument in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]:
                        if argument.arg not in ("self", "cls") and text[argument.lineno - 1].isascii():
                            yield "parameter", path, f"{symbol}({argument.arg})", argument.lineno, argument.col_offset
                    names = {argument.arg for argument in ast.walk(arguments) if isinstance(argument, ast.arg)}
                    for inner in node.body:
                        if isinstance(inner, ast.Assign) and isinstance(inner.targets[0], ast.Name):
                            target = inner.targets[0]
                            if target.id not in names and text[target.lineno - 1].isascii():
                                names.add(target.id)
                                yield "local", path, f"{symbol}.{target.id}", target.lineno, target.col_offset
                        if inside == "class" and node.name == "__init__" and isinstance(inner, ast.Assign):
                            target = inner.targets[0]
                            if isinstance(target, ast.Attribute) and ast.unparse(target.value) == "self":
                                start = target.end_col_offset - len(target.attr)
                                yield "attribute", path, ".".join([*around, target.attr]), target.lineno, start
                    yield from walk(node.body, [*around, node.name], "function")
                elif isinstance(node, ast.ClassDef):
                    yield "class", path, ".".join([*around, node.name]), node.lineno, column(node, node.name)
                    yield from walk(node.body, [*around, node.name], "class")
                elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and inside != "function":
                    target = node.targets[0]
                    if not target.id.startswith("__"):
                        kind = "variable" if inside == "module" else "class variable"
                        yield kind, path, ".".join([*around, target.id]), target.lineno, target.col_offset

        yield from walk(tree.body, [], "module")


class Pyright:
    """Pyright's server, asked for references."""

    def __init__(self, python, folder):
        self.process = subprocess.Popen(
            [python.parent / "pyright-langserver", "--stdio"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.folder = folder
        self.number = 0
        self.opened = set()
        uri = folder.as_uri()
        self.request("initialize", {
            "processId": os.getpid(), "rootUri": uri, "capabilities": {"workspace": {"configuration": True}},
            "workspaceFolders": [{"uri": uri, "name": "x"}],
        })
        self.send({"method": "initialized", "params": {}})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def receive(self):
        length = 0
        while (line := self.process.stdout.readline().strip()):
            if line.lower().startswith(b"content-length"):
                length = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(length))

    def request(self, method, params):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while True:
            got = self.receive()
            if got.get("id") == self.number and "method" not in got:
                return got.get("result")
            if "method" in got and "id" in got:
                items = got.get("params", {}).get("items", []) if got["method"] == "workspace/configuration" else None
                result = [{} for _ in items] if items is not None else None
                self.send({"id": got["id"], "result": result})

    def references(self, path, line, column):
        file = self.folder / path
        if path not in self.opened:
            self.opened.add(path)
            document = {"uri": file.as_uri(), "languageId": "python", "version": 1, "text": file.read_text()}
            self.send({"method": "textDocument/didOpen", "params": {"textDocument": document}})
        found = self.request("textDocument/references", {
            "textDocument": {"uri": file.as_uri()}, "position": {"line": line - 1, "character": column},
            "context": {"includeDeclaration": True},
        })
        places = set()
        for place in found or []:
            there = pathlib.Path(place["uri"].removeprefix("file://"))
            if there.is_relative_to(self.folder):
                start = place["range"]["start"]
                places.add((there.relative_to(self.folder).as_posix(), start["line"] + 1, start["character"] + 1))
        return places


JEDI = """
import json, sys, jedi, pathlib
folder = pathlib.Path(sys.argv[1])
project = jedi.Project(folder)
for line in sys.stdin:
    path, row, column = json.loads(line)
    try:
        found = jedi.Script(path=folder / path, project=project).get_references(row, column)
        places = [[str(it.module_path.relative_to(folder)), it.line, it.column + 1] for it in found
                  if it.module_path and it.module_path.is_relative_to(folder)]
    except Exception:
        places = []
    print(json.dumps(places), flush=True)
"""


class Jedi:
    """Jedi, in a process of its own."""

    def __init__(self, python, folder):
        self.process = subprocess.Popen(
            [python, "-c", JEDI, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    def references(self, path, line, column):
        self.process.stdin.write(json.dumps([path, line, column]) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        return {tuple(place) for place in json.loads(answer)} if answer else set()


def run(binary, folder, *words):
    done = subprocess.run([binary, *words, "--format", "json"], cwd=folder, capture_output=True, text=True)
    try:
        return done.returncode, json.loads(done.stdout)
    except ValueError:
        return done.returncode, None


def git(folder, *words):
    return subprocess.run(["git", "-C", folder, *words], capture_output=True, text=True).stdout.strip()


def judge(binary, folder, definition, engines, say):
    """Returns what came of one definition."""
    kind, path, symbol, line, column = definition
    address = f"{path}::{symbol}"
    code, found = run(binary, folder, "references", address)
    if code != 0 or found is None:
        say(f"{address}: not found")
        return "not found", 0, 0
    places = {(it["path"], it["line"], it["column"]): it["verdict"] for it in found["places"]}
    word = found["name"]
    left, seen = 0, set()
    for name, engine in engines.items():
        for place in engine.references(path, line, column):
            seen.add(place)
            text = (folder / place[0]).read_text().split("\n")[place[1] - 1]
            if not text[place[2] - 1:].startswith(word):
                continue
            if places.get(place, "none") in ("other", "none"):
                left += 1
                say(f"{address}: {name} lists {place[0]}:{place[1]}:{place[2]}, which is {places.get(place, 'none')}: {text.strip()}")
    certain = {place for place, verdict in places.items() if verdict == "certain"}
    alone = certain - seen if engines else set()
    for place in sorted(alone):
        text = (folder / place[0]).read_text().split("\n")[place[1] - 1]
        say(f"{address}: alone {place[0]}:{place[1]}:{place[2]}: {text.strip()}", "alone")
    git(folder, "branch", "-qD", "there")
    code, report = run(binary, folder, "rename", address, FRESH, "--branch", "there")
    if code != 0:
        codes = {error["code"] for error in (report or {}).get("errors", [])}
        what = ", ".join(sorted(codes)) or f"exit {code}"
        if not codes <= {"not-certain", "name-clash"}:
            say(f"{address}: {what}: {(report or {}).get('errors')}")
        return what, left, len(alone)
    changed = git(folder, "diff", "--name-only", "HEAD", "there").split("\n")
    for file in changed:
        if file.endswith((".py", ".pyi")):
            text = subprocess.run(["git", "-C", folder, "show", f"there:{file}"], capture_output=True).stdout
            try:
                compile(text, file, "exec", dont_inherit=True)
            except SyntaxError as error:
                say(f"{address}: does not compile: {file}: {error}")
                return "broken", left, len(alone)
    head, _, last = symbol.rpartition(".")
    new = last.replace(f"({word})", f"({FRESH})") if last.endswith(f"({word})") else FRESH
    back = f"{path}::{head + '.' if head else ''}{new}"
    code, report = run(binary, folder, "rename", back, word, "--branch", "there")
    if code != 0:
        say(f"{address}: not back: {(report or {}).get('errors')}")
        return "not back", left, len(alone)
    if git(folder, "rev-parse", "there^{tree}") != git(folder, "rev-parse", "HEAD^{tree}"):
        say(f"{address}: another tree")
        return "another tree", left, len(alone)
    return "renamed", left, len(alone)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--most", type=int, default=100)
    arguments.add_argument("--seed", type=int, default=7)
    arguments.add_argument("--binary", default="target/release/git-segedit", type=pathlib.Path)
    arguments.add_argument("--work", default="target/renames", type=pathlib.Path)
    arguments.add_argument("--tools", type=pathlib.Path)
    arguments.add_argument("--show", type=int, default=40)
    arguments.add_argument("--alone", action="store_true", help="show places that no other engine lists")
    given = arguments.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    work, binary = given.work.resolve(), given.binary.resolve()
    chosen = []
    for folder in fetch(work):
        by_kind = collections.defaultdict(list)
        for definition in definitions(folder):
            by_kind[definition[0]].append(definition)
        dice = random.Random(f"{given.seed} {folder.name}")
        share = max(1, given.most // len(PACKAGES) // max(1, len(by_kind)))
        for kind in sorted(by_kind):
            chosen += [(folder, it) for it in dice.sample(by_kind[kind], min(share, len(by_kind[kind])))]
    results = collections.defaultdict(collections.Counter)
    engines, current, total_left, total_alone = {}, None, 0, 0
    lines = []
    for folder, definition in chosen:
        if folder != current:
            current = folder
            engines = {}
            if given.tools:
                engines = {"jedi": Jedi(given.tools.absolute(), folder), "pyright": Pyright(given.tools.absolute(), folder)}

        def say(line, sort=""):
            if sort != "alone" or given.alone:
                lines.append(line)
                if len(lines) <= given.show:
                    print(f"{folder.name}/{line}", flush=True)

        what, left, alone = judge(binary, folder, definition, engines, say)
        results[definition[0]][what] += 1
        total_left += left
        total_alone += alone
    sums = collections.Counter()
    for kind, counts in sorted(results.items()):
        print(f"{kind:15}", ", ".join(f"{what} {count}" for what, count in sorted(counts.items())))
        sums.update(counts)
    print(f"{'all':15}", ", ".join(f"{what} {count}" for what, count in sorted(sums.items())))
    print(f"left {total_left}, alone {total_alone}, of {len(chosen)} definitions")


if __name__ == "__main__":
    main()
