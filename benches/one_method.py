"""Measures one method replaced by name in a repository of 3,000 files, beside the least that any program does.

    benches/one_method.py [--runs 15] [--files 3000] [--binary PATH --floor PATH] [--lines 400]

Builds the release binary and `benches/floor` unless both are given, makes a bare repository in memory (`/dev/shm`) if
there is such a place, and runs them by turns: the tool as `replace src/pkg/x.py::Worker.m7 --content-file`, as `apply` of an
operation file, and the floor, which is handed the finished file. Every run writes content that no run wrote before, since
git does not write an object again. Prints medians in milliseconds and their ratio to the floor; on a busy machine, trust
the processor's column.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BRANCH = "main"
PATH = "src/pkg/x.py"


def environment(home):
    person = {"NAME": "Bench", "EMAIL": "bench@example.org"}
    names = {f"GIT_{role}_{part}": value for role in ("AUTHOR", "COMMITTER") for part, value in person.items()}
    return names | {"PATH": os.environ["PATH"], "HOME": home, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8"}


def built():
    subprocess.run(["cargo", "build", "--release", "--bin", "git-segedit", "--example", "floor"], cwd=ROOT, check=True)
    target = os.path.join(os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target")), "release")
    return os.path.join(target, "git-segedit"), os.path.join(target, "examples", "floor")


def method(number, token):
    body = f"        total = value + {number}\n        for step in range({token}):\n            total += step\n        return total\n"
    return f"    def m{number}(self, value):\n{body}"


def module(lines, token=0):
    """Returns a file of about `lines` lines, the seventh method made unique by `token`."""
    methods = (method(number, token if number == 7 else number) for number in range(max(lines // 6, 8)))
    return "class Worker:\n" + "\n".join(methods)


def make_repository(folder, files, lines, env):
    """Makes a bare repository with the target and `files` - 1 others in folders of fifty."""
    repository = os.path.join(folder, "repo.git")
    subprocess.run(["git", "init", "-q", "--bare", "-b", BRANCH, repository], env=env, check=True)
    commands = [f"commit refs/heads/{BRANCH}\ncommitter Bench <bench@example.org> 1700000000 +0000\ndata 4\nmade\n"]

    def add(path, text):
        commands.append(f"M 100644 inline {path}\ndata {len(text.encode())}\n{text}\n")

    add(PATH, module(lines))
    for number in range(files - 1):
        add(f"src/d{number // 50}/f{number}.py", f"def f{number}():\n    return {number}\n")
    subprocess.run(["git", "fast-import", "--quiet"], input="".join(commands).encode(), cwd=repository, env=env, check=True)
    return repository


def timed(command, env):
    """Returns the milliseconds that passed and those that a processor worked."""
    start = time.perf_counter()
    with tempfile.TemporaryFile() as said:
        run = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=said, stderr=said)
        _, status, usage = os.wait4(run.pid, 0)
        spent = time.perf_counter() - start
        run.returncode = os.waitstatus_to_exitcode(status)
        if run.returncode:
            said.seek(0)
            sys.exit(f"{' '.join(command)}\nfailed with {run.returncode}:\n{said.read().decode()}")
    return spent * 1000, (usage.ru_utime + usage.ru_stime) * 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--files", type=int, default=3000)
    parser.add_argument("--lines", type=int, default=400, help="lines of the file that is edited")
    parser.add_argument("--binary")
    parser.add_argument("--floor")
    options = parser.parse_args()
    binary, floor = (options.binary, options.floor) if options.binary and options.floor else built()
    with tempfile.TemporaryDirectory(prefix="one-method-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        env = environment(folder)
        repository = make_repository(folder, options.files, options.lines, env)
        content, manifest, whole = (os.path.join(folder, name) for name in ("content.py", "ops.yaml", "whole.py"))
        address = f"{PATH}::Worker.m7"
        commands = {
            "floor": [floor, repository, BRANCH, PATH, whole, "one method"],
            "replace": [binary, "-C", repository, "replace", address, "--branch", BRANCH, "--content-file", content],
            "apply": [binary, "-C", repository, "apply", manifest],
            "apply, no diff, JSON": [binary, "-C", repository, "apply", "--no-diff", "--format", "json", manifest],
            "--version": [binary, "--version"],
        }
        spent = {name: [] for name in commands}
        token = 1_000_000
        for turn in range(options.runs + 2):
            for name, command in commands.items():
                token += 1
                text = method(7, token)
                with open(content, "w") as file:
                    file.write(text)
                with open(manifest, "w") as file:
                    indented = "".join("      " + line for line in text.splitlines(True))
                    file.write(f"version: 1\nbranch: {BRANCH}\noperations:\n  - op: replace\n    file: {PATH}\n")
                    file.write(f"    symbol: Worker.m7\n    content: |2\n{indented}")
                with open(whole, "w") as file:
                    file.write(module(options.lines, token))
                taken = timed(command, env)
                if name != "--version":
                    shown = subprocess.run(["git", "show", f"{BRANCH}:{PATH}"], cwd=repository, env=env, capture_output=True)
                    assert shown.stdout.decode() == module(options.lines, token), f"{name} did not do its work"
                if turn >= 2:
                    spent[name].append(taken)
        print(f"{options.files} files, {options.lines} lines in the edited one, median of {options.runs}, milliseconds")
        print(f"{'':>22}  {'wall':>7}  {'':>6}  {'cpu':>7}")
        medians = {name: [statistics.median(column) for column in zip(*times)] for name, times in spent.items()}
        for name, (wall, work) in medians.items():
            least_wall, least_work = medians["floor"]
            print(f"{name:>22}  {wall:7.2f}  x{wall / least_wall:<5.2f}  {work:7.2f}  x{work / least_work:.2f}")


if __name__ == "__main__":
    main()
