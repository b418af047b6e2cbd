"""Renames definitions of real packages of TypeScript, by a language server or without one, and has the compiler judge what is left.

    python3 benches/served.py [--alone] [--most N] [--seed N] [--binary PATH] [--work FOLDER] [--show N]

The packages are pinned and installed by npm into FOLDER with the compiler and typescript-language-server; the sources of each, without its tests, are a
repository of their own there. Definitions are picked at random and get a name that nobody has. `wrong` is what the compiler says then and
did not say before, the new name read as the old one, or what is not to the byte what it was once the name is given back. What is refused is
counted by its code. With `--alone` no server is named.
"""

import collections
import json
import os
import random
import re
import shutil
import subprocess
import sys

import packages

PACKAGES = {
    "immer": "immer@10.1.1",
    "redux": "redux@5.0.1",
    "reselect": "reselect@5.1.1",
    "rxjs": "rxjs@7.8.2",
    "zod": "zod@4.1.5",
}
TOOLS = ["typescript@5.9.3", "typescript-language-server@6.0.2"]
CONFIGURATION = {
    "compilerOptions": {
        "strict": True,
        "noEmit": True,
        "skipLibCheck": True,
        "target": "es2022",
        "module": "esnext",
        "moduleResolution": "bundler",
        "lib": ["es2022", "dom"],
        "types": [],
    },
    "include": ["src"],
}
NEW = "zqRenamed"
KINDS = {"class", "function", "method", "variable", "constant", "interface", "type", "enum", "property"}


def fetch(work, is_alone):
    """Returns where the programs are, and the folder of each package as a repository of its own."""
    home = work / "node"
    if not home.exists():
        home.mkdir()
        quietly = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        subprocess.run(["npm", "install", "--prefix", home, *quietly, *PACKAGES.values(), *TOOLS], check=True)
    folders = {}
    for name in PACKAGES:
        folder = folders[name] = work / name
        git = ["git", "-C", folder, "-c", "user.name=x", "-c", "user.email=x@example.org"]
        if not folder.exists():
            left_out = shutil.ignore_patterns("tests", "*.test.ts", "*.spec.ts", "benchmarks")
            shutil.copytree(home / "node_modules" / name / "src", folder / "src", ignore=left_out)
            (folder / "tsconfig.json").write_text(json.dumps(CONFIGURATION))
            (folder / ".segedit.yaml").touch()
            subprocess.run([*git, "init", "-q"], check=True)
            subprocess.run([*git, "add", "-fA"], check=True)
            subprocess.run([*git, "commit", "-qm", "first"], check=True)
        servers = "" if is_alone else "{preset: typescript, timeout: 600}"
        (folder / ".segedit.yaml").write_text(f"version: 1\nservers: [{servers}]\n")
        subprocess.run([*git, "commit", "-qam", "servers", "--allow-empty"], check=True)
    return home / "node_modules/.bin", folders


def definitions(binary, folder, chance):
    """Returns the address and the name of each definition that has its name for itself in its file, in a random order."""
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("src/**/*.ts"))
    said = json.loads(packages.run([binary, "outline", "--format", "json", *files], folder).stdout)
    found = []
    for segment in (segment for file in said for segment in file["segments"]):
        address = segment["address"]
        name = address.split("::", 1)[1].split(".")[-1]
        if segment["kind"] in KINDS and re.fullmatch(r"[A-Za-z_$]\w*", name) and name != "constructor":
            found.append((address, name))
    chance.shuffle(found)
    return found


def faults(programs, folder, name=None):
    """Returns what the compiler says, without lines, the new name read as `name`."""
    said = packages.run([programs / "tsc", "-p", "."], folder).stdout
    if name:
        said = said.replace(NEW, name)
    return collections.Counter(re.sub(r"\(\d+,\d+\)", "", line) for line in said.splitlines())


def judged(binary, programs, folder, before, address, name):
    """Returns what came of a rename, with what speaks against it and how many places changed."""
    asked = ["--destination", "worktree", "--format", "json"]
    done = packages.run([binary, "rename", address, NEW, *asked], folder)
    if done.returncode:
        errors = json.loads(done.stdout)["errors"] if done.stdout.startswith("{") else []
        codes = sorted({error["code"] for error in errors}) or [done.stderr[:100]]
        why = "" if codes == ["not-certain"] else "\n".join(error["message"] for error in errors)
        return f"refused: {', '.join(codes)}", why, 0
    changed = json.loads(done.stdout)["operations"][0]["references"]["changed"]
    new = faults(programs, folder, name) - before
    difference = packages.run(["git", "diff", "-U0"], folder).stdout
    path, segment = address.split("::", 1)
    back = f"{path}::{'.'.join([*segment.split('.')[:-1], NEW])}"
    packages.run([binary, "rename", back, name, *asked], folder)
    left = packages.run(["git", "diff", "-U0"], folder).stdout
    packages.run(["git", "checkout", "-q", "."], folder)
    if new:
        return "wrong: the compiler", f"{dict(new)}\n{difference}", changed
    if left and not re.search(rf"\b{name}: {NEW}\b|\b{NEW}: {name}\b", difference):
        return "wrong: not what it was", left, changed
    return "right", "", changed


def main():
    options = packages.options(__doc__, "served", ("--alone", "name no server"))
    programs, folders = fetch(options.work, options.alone)
    os.environ["PATH"] = f"{programs}:{os.environ['PATH']}"
    os.environ["GIT_SEGEDIT_TRUST"] = "always"
    counted, places, shown = collections.Counter(), 0, 0
    for package, folder in folders.items():
        chance = random.Random(options.seed)
        before = faults(programs, folder)
        for address, name in definitions(options.binary, folder, chance)[: options.most]:
            what, said, changed = judged(options.binary, programs, folder, before, address, name)
            counted[what] += 1
            places += changed
            if said and shown < options.show:
                shown += 1
                print(f"{what}: {package} {address}\n{said[:3000]}", flush=True)
    for what, count in sorted(counted.items()):
        print(f"{count:5} {what}")
    print(f"{places:5} places changed")
    sys.exit(1 if any(what.startswith("wrong") for what in counted) else 0)


main()
