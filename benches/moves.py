"""Moves definitions of real packages to other modules and back, and has CPython judge what is left.

    python3 benches/moves.py [--most N] [--seed N] [--binary PATH] [--work FOLDER] [--show N]

The packages are pinned and installed by pip into FOLDER with what they need; each is a repository of its own there. Definitions of modules are
picked at random, each with another module of its package, or one that is not there, to go to. After a move every module of the package has to be
imported by CPython, each of the two ends alone as well, and pyflakes may find no name that is undefined and no import that is unused where there was none before:
else it is `wrong`. What is refused is counted by its code. Where it went it is moved back to beside its old neighbour: `same` counts those after which
every file has the bytes that it had.
"""

import ast
import collections
import json
import pathlib
import random
import re
import sys
import tempfile

import packages

PACKAGES = {"httpx": "httpx==0.28.1", "click": "click==8.3.1", "requests": "requests==2.32.5"}
BESIDE = ["rich==14.1.0", "pyflakes==3.4.0"]
FRESH = "_zq_fresh.py"
IMPORT = """
import importlib, sys
for module in sys.argv[1:]:
    importlib.import_module(module)
"""


def name_of(statement):
    """Returns the name that a statement of a module defines, if it defines one."""
    match statement:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return statement.name
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
    return None


def moves(name, folder, chance):
    """Yields a path, a name, where it goes, and where it comes back to; in a random order."""
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.py"))
    ends = [path for path in files if not path.endswith(("__init__.py", "__main__.py"))]
    found = []
    for path in files:
        names = [name_of(it) for it in ast.parse((folder / path).read_text()).body]
        for at, own in enumerate(names):
            if own is None or own.startswith("__") or names.count(own) > 1:
                continue
            after = names[at + 1] if at + 1 < len(names) else None
            before = names[at - 1] if at else None
            home = [path]
            if after and names.count(after) == 1:
                home = [f"{path}::{after}", "--position", "before"]
            elif before and names.count(before) == 1:
                home = [f"{path}::{before}", "--position", "after"]
            found.append((path, own, home))
    chance.shuffle(found)
    for path, own, home in found:
        others = [end for end in ends if end != path]
        to = chance.choice([*others, *[f"{name}/{FRESH}"] * (len(others) // 2)])
        yield path, own, to, home


def complaints(python, folder):
    """Counts what pyflakes says, without lines; what packages give on, and what is marked `noqa`, is no complaint."""
    counted = collections.Counter()
    for line in packages.run([python, "-m", "pyflakes", "."], folder).stdout.splitlines():
        found = re.match(r"(\S+?):(\d+):\d+:? (.*(?:undefined name|imported but unused).*)", line)
        if not found or found[1].endswith("__init__.py"):
            continue
        words = (folder / found[1]).read_text().splitlines()[int(found[2]) - 1]
        counted[f"{found[1]}: {found[3]}"] += "noqa" not in words
    return counted


def module_of(path):
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def judged(binary, python, folder, move):
    """Returns what came of a move, and what there is to say of it."""
    path, own, to, home = move
    with tempfile.TemporaryDirectory() as scratch:
        clone = pathlib.Path(scratch) / "clone"
        packages.run(["git", "clone", "-q", folder, clone], scratch)
        for key, value in [("user.name", "x"), ("user.email", "x@example.org")]:
            packages.run(["git", "config", key, value], clone)
        done = packages.run([binary, "move", f"{path}::{own}", to, "--format", "json"], clone)
        report = json.loads(done.stdout)
        if done.returncode == 3:
            first = report["errors"][0]
            return f"refused {first['code']}", first["message"]
        if done.returncode:
            return "wrong", json.dumps(report["errors"])
        shown = packages.run(["git", "show", "--format="], clone).stdout
        files = packages.run(["git", "ls-files", "*.py"], clone).stdout.split()
        modules = [module_of(file) for file in files if not file.endswith("__main__.py")]
        for wanted in [modules, [module_of(to)], [module_of(path)]]:
            imported = packages.run([python, "-B", "-W", "ignore", "-c", IMPORT, *wanted], clone)
            if imported.returncode:
                return "wrong", imported.stderr[-600:] + shown
        worse = complaints(python, clone) - complaints(python, folder)
        if worse:
            return "wrong", "\n".join(worse) + "\n" + shown
        back = packages.run([binary, "move", f"{to}::{own}", *home, "--format", "json"], clone)
        if back.returncode:
            return "right", "back: " + json.loads(back.stdout)["errors"][0]["message"]
        left = packages.run(["git", "diff", "HEAD~2", "HEAD", "--", ".", f":!*/{FRESH}"], clone).stdout
        return ("right, and the same bytes back", "") if not left else ("right", left)


def main():
    options = packages.options(__doc__, "moves")
    python, folders = packages.fetch(options.work, PACKAGES, BESIDE, ["_winconsole.py"])
    counted = collections.Counter()
    shown = 0
    for name, folder in folders.items():
        chosen = moves(name, folder, random.Random(options.seed))
        for move, _ in zip(chosen, range(options.most)):
            what, said = judged(options.binary, python, folder, move)
            counted[what] += 1
            if what in ("wrong", "right") and said and shown < options.show:
                shown += 1
                print(f"{what}: {move[0]}::{move[1]} to {move[2]}\n{said[:3000]}")
    for what, count in sorted(counted.items()):
        print(f"{count:5} {what}")
    sys.exit(1 if counted["wrong"] else 0)


main()
