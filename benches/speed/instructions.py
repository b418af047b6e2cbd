"""Counts the instructions of the release binary's hot tasks: a measure that hardly varies, so that a slow change is seen.

Sealed against what would make a count differ: one processor, so that no pool starts threads; an environment made from
nothing; paths of one length; inputs by a fixed rule. What is left (hash seeds, addresses, the clock) is below 0.1 %."""

import json
import os
import re
import shutil
import subprocess
import sys

from . import fixed, peers
from .process import BRANCH, ROOT
from .repository import stream, write

RECORD = os.path.join(ROOT, "benches", "instructions.json")
BAND = 0.05
FILES = 1_000
# A tenth of what `benches/run` does: callgrind takes fifty times as long as the program alone.
EDITS, LINES = 75, 5_000


class Counter:
    """A folder with the inputs, and the programs."""

    def __init__(self, folder, binary, valgrind):
        self.folder, self.valgrind = folder, valgrind
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        # By a name that is as long everywhere.
        shutil.copy(binary, self.path("git-segedit"))
        self.env = {
            "PATH": os.defpath,
            "HOME": folder,
            "XDG_CONFIG_HOME": folder,
            "GIT_CONFIG_NOSYSTEM": "1",
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "TMPDIR": folder,
        }
        for role in ("AUTHOR", "COMMITTER"):
            self.env |= {
                f"GIT_{role}_NAME": "Bench",
                f"GIT_{role}_EMAIL": "bench@example.org",
                f"GIT_{role}_DATE": "2026-01-02T03:04:05Z",
            }
        self.prepare()

    def prepare(self):
        edited = [fixed.worker(f"src/d{number // 100}/f{number}.py", number, 30) for number in range(FILES - 1)]
        target, large = fixed.worker("lib/target.py", 7, 400), fixed.large("lib/large.py", LINES, EDITS)
        self.repository("many", [*edited, target])
        self.repository("one", [large])
        for name, files in {"one-method": [target], "edits": edited + [target], "large": [large]}.items():
            write(self.path(f"{name}.yaml"), peers.manifest(files, 1))
        self.repository("outline", [])
        write(self.path("outline/module.py"), fixed.worker("module.py", 3, 5_000).text(0))
        write(self.path("outline/guide.md"), fixed.guide("guide.md", 5_000).text(0))

    def path(self, name):
        return os.path.join(self.folder, name)

    def repository(self, name, files):
        bare = ["--bare"] if files else []
        subprocess.run(["git", "init", "-q", *bare, "-b", BRANCH, self.path(name)], env=self.env, check=True)
        if files:
            content = stream((file.path, file.text(0)) for file in files)
            subprocess.run(["git", "fast-import", "--quiet"], input=content, cwd=self.path(name), env=self.env, check=True)

    def tasks(self):
        """Returns for each task the repository that it changes, and its arguments."""
        return {
            "start": (None, ["--version"]),
            "one method to a commit, 1,000 files": ("many", ["-C", "copy", "apply", "-q", "../one-method.yaml"]),
            "1,000 edits in 1,000 files": ("many", ["-C", "copy", "apply", "-q", "../edits.yaml"]),
            "75 edits in one file of 5,000 lines": ("one", ["-C", "copy", "apply", "-q", "../large.yaml"]),
            "outline of a Python file of 5,000 lines": ("outline", ["-C", "copy", "outline", "module.py"]),
            "outline of a Markdown file of 5,000 lines": ("outline", ["-C", "copy", "outline", "guide.md"]),
            "find in 1,000 files": ("many", ["-C", "copy", "find", "Worker.settle"]),
        }

    def count(self, name):
        """Returns the instructions of one run in a copy of its repository."""
        repository, arguments = self.tasks()[name]
        copy, counts = self.path("copy"), self.path("counts")
        shutil.rmtree(copy, ignore_errors=True)
        if repository:
            shutil.copytree(self.path(repository), copy)
        command = [self.valgrind, "--tool=callgrind", f"--callgrind-out-file={counts}", "./git-segedit", *arguments]
        # A program that asks how many processors there are hears of one, and starts no threads.
        alone = "import os, sys; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}); os.execv(sys.argv[1], sys.argv[1:])"
        wrapped = [sys.executable, "-I", "-S", "-c", alone, *command]
        run = subprocess.run(wrapped, cwd=self.folder, env=self.env, capture_output=True, text=True)
        if run.returncode:
            raise SystemExit(f"{' '.join(command)}\nfailed with {run.returncode}:\n{run.stderr}")
        with open(counts) as file:
            return int(re.search(r"^(?:summary|totals): (\d+)", file.read(), re.M)[1])


def compiler():
    return subprocess.run(["rustc", "--version"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def recorded():
    with open(RECORD) as file:
        return json.load(file)


def record(counts):
    with open(RECORD, "w") as file:
        json.dump({"compiler": compiler(), "machine": os.uname().machine, "instructions": counts}, file, indent=2)
        file.write("\n")
