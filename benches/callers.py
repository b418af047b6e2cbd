"""Gives functions of real packages a parameter more, or one less, has their calls follow, and has a type checker judge what is left.

    python3 benches/callers.py [--most N] [--seed N] [--binary PATH] [--work FOLDER] [--show N]

The packages are pinned and installed by pip into FOLDER with mypy; each is a repository of its own there. Functions and methods are picked at random. One
gets a parameter that has to be given, by name alone or as the first, with a number as what each call gives for it; or it loses its last parameter,
body and all that use it left alone. `wrong` is what mypy says of calls then and did not say before: one that lacks the argument, gives too much, or
something of another type. What is refused is counted by its code.
"""

import ast
import collections
import json
import random
import re
import sys

import packages

PACKAGES = {
    "click": "click==8.1.8",
    "jinja2": "jinja2==3.1.6",
    "packaging": "packaging==24.2",
    "rich": "rich==13.9.4",
    "werkzeug": "werkzeug==3.1.3",
}
JUDGE = "mypy==1.18.2"
NUMBER = "31415926"
FAULTS = re.compile(r"([^:]+):\d+: error: (.*(?:argument|Argument).*)")


def functions(folder, chance):
    """Returns each function and method that has its name for itself, as (path, names, node); in a random order."""
    found = []
    for path in sorted(folder.rglob("*.py")):

        def walk(node, around):
            for inner in ast.iter_child_nodes(node):
                if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    found.append((path.relative_to(folder).as_posix(), (*around, inner.name), inner))
                elif isinstance(inner, ast.ClassDef):
                    walk(inner, (*around, inner.name))

        walk(ast.parse(path.read_text()), ())
    counted = collections.Counter((path, names) for path, names, _ in found)
    is_plain = lambda name: not name.startswith("__") or name == "__init__"  # noqa: E731
    found = [it for it in found if counted[it[:2]] == 1 and is_plain(it[1][-1])]
    chance.shuffle(found)
    return found


def change(address, node, chance):
    """Returns the arguments that ask for a change of the parameters."""
    taken = node.args
    plain = [it.arg for it in (*taken.posonlyargs, *taken.args)]
    ways = ["by name", "first"]
    last = (taken.kwonlyargs or taken.args or [None])[-1]
    if last is not None and last.arg not in ("self", "cls") and not taken.vararg and not taken.kwarg and len(plain) > 1:
        ways.append("one less")
    way = chance.choice(ways)
    callers = ["--callers", "--destination", "worktree", "--format", "json"]
    if way == "one less":
        return ["delete", address, "--part", f"parameter[{last.arg}]", *callers]
    is_parted = taken.vararg or taken.kwonlyargs
    content = "zq_more: int" if way == "first" or is_parted else "*, zq_more: int"
    place = ["--position", "first"] if way == "first" else []
    given = ["--argument", f"zq_more={NUMBER}"]
    return ["insert", address, "--part", "parameter", *place, "--content", content, *given, *callers]


def faults(python, folder, name):
    """Returns what the type checker says of arguments, without lines."""
    options = ["--check-untyped-defs", "--no-error-summary", "--hide-error-context", "--ignore-missing-imports"]
    cache = ["--cache-dir", str(folder.parent / f"cache-{name}")]
    said = packages.run([python, "-m", "mypy", *options, *cache, name], folder).stdout
    return collections.Counter(FAULTS.findall(said))


def judged(binary, python, folder, name, before, asked):
    """Returns what came of a change, with what speaks against it and how many calls followed."""
    done = packages.run([binary, *asked], folder)
    if done.returncode:
        errors = json.loads(done.stdout)["errors"] if done.stdout.startswith("{") else []
        codes = sorted({error["code"] for error in errors}) or [done.stderr[:100]]
        return f"refused: {', '.join(codes)}", "", 0
    changed = json.loads(done.stdout)["operations"][0].get("references")
    calls = changed["changed"] if changed else 0
    new = faults(python, folder, name) - before
    difference = packages.run(["git", "diff", "-U0"], folder).stdout
    packages.run(["git", "checkout", "-q", "."], folder)
    if new:
        return "wrong", f"{dict(new)}\n{difference}", calls
    return ("right, calls followed" if calls else "right, nothing calls it"), "", calls


def main():
    options = packages.options(__doc__, "callers")
    python, folders = packages.fetch(options.work, PACKAGES, [JUDGE])
    counted, calls, shown = collections.Counter(), 0, 0
    for name, folder in folders.items():
        chance = random.Random(options.seed)
        before = faults(python, folder, name)
        for path, names, node in functions(folder, chance)[: options.most]:
            asked = change(f"{path}::{'.'.join(names)}", node, chance)
            what, said, followed = judged(options.binary, python, folder, name, before, asked)
            counted[what] += 1
            calls += followed
            if what == "wrong" and shown < options.show:
                shown += 1
                print(f"wrong: {' '.join(asked)}\n{said[:3000]}", flush=True)
    for what, count in sorted(counted.items()):
        print(f"{count:5} {what}")
    print(f"{calls:5} calls followed")
    sys.exit(1 if counted["wrong"] else 0)


main()
