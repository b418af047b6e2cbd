"""Takes imports out of real modules and asks for them back.

    python3 benches/imports.py [--most N] [--seed N] [--binary PATH] [--show N] [FOLDER ...]

Modules are picked at random from Python's own library and from each FOLDER, equally many from each; without one, from Python's own library
alone. Of each, one name that the module itself imports is picked at random and taken out by `unimport` (`used: allow`), then asked
for by `import`. Judged is what Python's parser reads: `unimport` has to leave every other statement as it was, and after `import` the
module has to import the same, with the name in it once, before it is used, and with every other statement in its order. `bytes` counts those
that are the same to the byte.
"""

import argparse
import ast
import collections
import os
import pathlib
import random
import subprocess
import sys
import sysconfig
import tempfile


def own_library():
    return pathlib.Path(sysconfig.get_path("stdlib"))


def modules(folder):
    """Every module of a folder that has imports of its own."""
    return [file for file in sorted(folder.rglob("*.py")) if "site-packages" not in file.parts and file.stat().st_size < 200_000]


def imported(tree):
    """What the module itself imports: each name as a statement of its own."""
    found = []
    for node in tree.body:
        if isinstance(node, ast.Import):
            found += [f"import {words(name)}" for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            found += [f"from {module} import {words(name)}" for name in node.names]
    return found


def words(name):
    return f"{name.name} as {name.asname}" if name.asname else name.name


def others(tree):
    """Every statement but the imports of the module itself, in order."""
    return [ast.dump(node) for node in tree.body if not isinstance(node, (ast.Import, ast.ImportFrom))]


def before_each(tree):
    """How many other statements come before each import."""
    found, count = {}, 0
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for statement in imported(ast.Module([node], [])):
                found.setdefault(statement, count)
        else:
            count += 1
    return found


def first_use(tree, bound):
    """The number of the first other statement that reads the name while the module is imported."""
    count = 0
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            continue
        stack = [node]
        while stack:
            it = stack.pop()
            if isinstance(it, ast.Name) and it.id == bound:
                return count
            inner = ast.iter_child_nodes(it)
            if isinstance(it, (ast.FunctionDef, ast.AsyncFunctionDef)):
                inner = [*it.decorator_list, *it.args.defaults, *filter(None, it.args.kw_defaults)]
            elif isinstance(it, ast.Lambda):
                inner = []
            stack += inner
        count += 1
    return None


def run(binary, folder, *arguments):
    return subprocess.run([binary, *arguments, "--destination", "worktree"], cwd=folder, capture_output=True, text=True)


def judge(binary, root, file, statement):
    """Takes `statement` out of `file` and asks for it back: what came of it, and what to show."""
    path = file.relative_to(root).as_posix()
    before = file.read_bytes()
    tree = ast.parse(before)
    once = imported(tree)
    gone = run(binary, root, "unimport", path, statement, "--used", "allow")
    middle = file.read_bytes()
    if gone.returncode:
        return ("refused", gone.stderr) if middle == before else ("wrong", gone.stderr)
    try:
        taken = ast.parse(middle)
    except SyntaxError as error:
        return "wrong", f"after unimport: {error}"
    left = once.copy()
    left.remove(statement)
    if imported(taken) != left or others(taken) != others(tree):
        return "wrong", "unimport changed something else"
    back = run(binary, root, "import", path, statement)
    after = file.read_bytes()
    if back.returncode:
        return "refused", back.stderr
    try:
        again = ast.parse(after)
    except SyntaxError as error:
        return "wrong", f"after import: {error}"
    if sorted(imported(again)) != sorted(once) or others(again) != others(tree):
        return "wrong", "not the same imports"
    bound = statement.split(" as ")[-1].split("import ")[-1].split(".")[0]
    use = first_use(again, bound)
    if use is not None and before_each(again)[statement] > use >= before_each(tree)[statement]:
        return "wrong", "after its first use"
    if after == before:
        return "bytes", ""
    return "another place", difference(before, after)


def difference(before, after):
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("before", "after")]
        for path, content in zip(paths, (before, after)):
            pathlib.Path(path).write_bytes(content)
        shown = subprocess.run(["diff", "-U2", *paths], capture_output=True, text=True, errors="replace")
        return "\n".join(shown.stdout.split("\n")[2:])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folders", nargs="*", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--most", type=int, default=160)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--binary", default="target/release/git-segedit")
    parser.add_argument("--show", type=int, default=0)
    arguments = parser.parse_args()
    binary = str(pathlib.Path(arguments.binary).resolve())
    pick = random.Random(arguments.seed)
    counts, shown = collections.Counter(), 0
    folders = [own_library(), *arguments.folders]
    for folder in folders:
        files = modules(folder)
        pick.shuffle(files)
        wanted = arguments.most // len(folders)
        for source in files:
            if not wanted:
                break
            try:
                tree = ast.parse(source.read_bytes())
            except (SyntaxError, ValueError):
                continue
            names = imported(tree)
            if not names:
                continue
            statement = pick.choice(names)
            if names.count(statement) > 1:
                continue
            wanted -= 1
            with tempfile.TemporaryDirectory() as root:
                root = pathlib.Path(root)
                # Only the module itself and its path: what it imports is told by that.
                file = root / source.relative_to(folder.parent)
                file.parent.mkdir(parents=True)
                file.write_bytes(source.read_bytes())
                git = ["git", "-C", root, "-c", "user.name=x", "-c", "user.email=x@example.org"]
                subprocess.run([*git, "init", "-q"], check=True)
                subprocess.run([*git, "add", "-fA"], check=True)
                subprocess.run([*git, "commit", "-qm", "first"], check=True)
                outcome, why = judge(binary, root, file, statement)
            counts[outcome] += 1
            if shown < arguments.show and outcome != "bytes":
                shown += 1
                print(f"{outcome}: {source.relative_to(folder)}: {statement}\n{why}")
    total = sum(counts.values())
    print(f"{total} imports: " + ", ".join(f"{count} {outcome}" for outcome, count in counts.most_common()))
    sys.exit(counts["wrong"] > 0)


if __name__ == "__main__":
    main()
