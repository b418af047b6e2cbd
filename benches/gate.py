"""Measures what the gate adds to a batch in a repository of 3,000 files, beside the linters' own time.

    benches/gate.py [--runs 9] [--files 3000] [--binary PATH] [--tools FOLDER]

Builds the release binary unless one is given, has `tests/tools/install.py` put ruff and mypy into `target/tools` unless a
folder of programs is given, and makes a repository with a worktree. Then, by turns, each after a first batch that is not
counted:

    no validator        the batch alone
    ruff                the same with the preset ruff (scope files), and what `ruff check` takes on that file alone
    tree                the same with a validator of scope tree that does nothing
    mypy                the same with the preset mypy (scope tree), and what the same `mypy` takes in a warm checkout

Every run publishes a commit that no run published before. Prints medians in milliseconds; "adds" is the batch with the
validator less the batch without one, and "laid out" how many files of the kept checkout were written for one batch.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from speed.process import ROOT, built, environment, target_folder, timed  # noqa: E402

PATH = "src/pkg/x.py"
CONFIGURATIONS = {
    "no validator": "version: 1\n",
    "ruff": "version: 1\nvalidators:\n  - preset: ruff\n",
    "tree": "version: 1\nvalidators:\n  - {name: tree, scope: tree, command: [\"true\", \"{files}\"]}\n",
    "mypy": "version: 1\nvalidators:\n  - preset: mypy\n",
}


def installed():
    subprocess.run([sys.executable, os.path.join(ROOT, "tests", "tools", "install.py")], check=True)
    return os.path.join(target_folder(), "tools", "bin")


def method(number, token):
    body = f"        total = value + {number}\n        for step in range({token}):\n            total += step\n        return total\n"
    return f"    def m{number}(self, value):\n{body}"


def module(lines, token=0):
    """Returns a file of about `lines` lines, the seventh method made unique by `token`."""
    methods = (method(number, token if number == 7 else number) for number in range(max(lines // 6, 8)))
    return "class Worker:\n" + "\n".join(methods)


def make_repository(folder, name, files, lines, env):
    """Makes a repository with the target, `files` - 1 others in folders of fifty, and one configuration."""
    repository = os.path.join(folder, name.replace(" ", "-"))
    os.makedirs(os.path.join(repository, os.path.dirname(PATH)))
    with open(os.path.join(repository, ".segedit.yaml"), "w") as file:
        file.write(CONFIGURATIONS[name])
    with open(os.path.join(repository, PATH), "w") as file:
        file.write(module(lines))
    for number in range(files - 1):
        place = os.path.join(repository, f"src/d{number // 50}")
        os.makedirs(place, exist_ok=True)
        with open(os.path.join(place, f"f{number}.py"), "w") as file:
            file.write(f"def f{number}():\n    return {number}\n")
    for command in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-qm", "made"]):
        subprocess.run(["git", *command], cwd=repository, env=env, check=True)
    return repository


def laid_out(folder, since):
    """Returns how many files of kept checkouts were written since then."""
    shelves = os.path.join(folder, ".cache", "git-segedit")
    files = (os.path.join(place, name) for place, _, names in os.walk(shelves) if "/files" in place for name in names)
    return sum(os.lstat(file).st_mtime >= since - 0.01 for file in files)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--files", type=int, default=3000)
    parser.add_argument("--lines", type=int, default=400, help="lines of the file that is edited")
    parser.add_argument("--binary")
    parser.add_argument("--tools", help="a folder with ruff and mypy")
    options = parser.parse_args()
    binary, tools = options.binary or built(), options.tools or installed()
    with tempfile.TemporaryDirectory(prefix="gate-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        env = environment(folder) | {"GIT_SEGEDIT_TRUST": "always", "TMPDIR": folder}
        env["PATH"] = os.path.abspath(tools) + os.pathsep + env["PATH"]
        repositories = {name: make_repository(folder, name, options.files, options.lines, env) for name in CONFIGURATIONS}
        alone = os.path.join(folder, "alone")
        shutil.copytree(repositories["no validator"], alone, ignore=shutil.ignore_patterns(".git"))
        content = os.path.join(folder, "content.py")
        spent, written = {}, {}
        token = 1_000_000
        for turn in range(options.runs + 2):
            for name, repository in repositories.items():
                token += 1
                with open(content, "w") as file:
                    file.write(method(7, token))
                command = [binary, "-C", repository, "replace", f"{PATH}::Worker.m7", "--content-file", content, "--no-diff"]
                before = time.time()
                taken = timed(command, env)
                if turn >= 2:
                    spent.setdefault(name, []).append(taken[0])
                    written.setdefault(name, []).append(laid_out(folder, before))
            for name, command in {
                "ruff alone": ["ruff", "check", "--quiet", "--no-cache", "--output-format=sarif", "--", PATH],
                "mypy alone": ["mypy", "--output=json", "--no-error-summary", "--cache-dir", os.path.join(folder, "cache"), "--", "."],
            }.items():
                with open(os.path.join(alone, PATH), "w") as file:
                    file.write(module(options.lines, token))
                taken = timed(["env", "-C", alone, *command], env)
                if turn >= 2:
                    spent.setdefault(name, []).append(taken[0])
        medians = {name: statistics.median(times) for name, times in spent.items()}
        plain = medians["no validator"]
        print(f"{options.files} files, {options.lines} lines in the edited one, median of {options.runs}, milliseconds")
        print(f"{'':>14}  {'batch':>8}  {'adds':>8}  {'laid out':>8}  {'tool alone':>10}  adds / alone")
        for name in CONFIGURATIONS:
            adds, own = medians[name] - plain, medians.get(f"{name} alone")
            ratio = f"{own:10.1f}  x{adds / own:.2f}" if own else ""
            print(f"{name:>14}  {medians[name]:8.1f}  {adds:8.1f}  {max(written[name]):8}  {ratio}")


if __name__ == "__main__":
    main()
