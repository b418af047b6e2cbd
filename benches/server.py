"""Measures the calls of `git segedit mcp`, from the line of a request to the line of its answer.

    python3 benches/server.py [--binary PATH] [--turns N] [--calls N]

In a checked-out repository of 7,000 files, in one of 1,000 lines: `segedit_show`, `segedit_edit` and `segedit_replace` of one
function, beside the same as commands, whole processes, by turns, A B C A B C; every edit has a content that no call had before.
Prints medians and their ratios to `git segedit apply`. Then as many calls to one server, and the memory that it holds
after a tenth of them and after all. The goals are for a machine with nothing else to do; on a busy one, ratios of one run count.
"""

import argparse
import json
import os
import pathlib
import statistics
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from conversation import Conversation  # noqa: E402
from speed import contents, repository  # noqa: E402
from speed.process import built, environment, timed  # noqa: E402

FILES, LINES = 7000, 1000
PATH, NAME = "lib/measured.py", "edited_0"
TARGET = f"{PATH}::{NAME}"
# Milliseconds.
GOALS = {"segedit_show": 6, "segedit_edit": 15, "segedit_replace": 15}
MEMORY_GOAL = 1.1
COMMAND = "git segedit apply"


class Measured:
    """A repository, a server in it, and content that is new each time."""

    def __init__(self, folder, binary):
        self.binary, self.env, self.token = binary, environment(folder), 0
        self.file = contents.large(PATH, LINES, 1)
        made = repository.Repository(os.path.join(folder, "made"), [*repository.layout(FILES - 1), self.file], self.env)
        self.checkout = made.checkout
        self.batch = os.path.join(folder, "batch.json")
        self.server = Conversation(binary, self.checkout, env=self.env)

    def show(self):
        return self.call("segedit_show", {"target": TARGET})

    def edit(self):
        old, new = f"range({self.token})", f"range({self.fresh()})"
        return self.call("segedit_edit", {"path": PATH, "within": NAME, "old": old, "new": new})

    def replace(self):
        return self.call("segedit_replace", {"target": TARGET, "content": self.file.spots[0].content(self.fresh())})

    def apply(self):
        old, new = f"range({self.token})", f"range({self.fresh()})"
        operation = {"op": "replace", "file": PATH, "within": {"symbol": NAME}, "text": old, "content": new}
        pathlib.Path(self.batch).write_text(json.dumps({"version": 1, "operations": [operation]}))
        return self.run("apply", "-q", "--destination", "worktree", self.batch)

    def show_command(self):
        return self.run("show", TARGET)

    def start(self):
        return self.run("--version")

    def call(self, tool, arguments):
        began = time.perf_counter()
        refused, said = self.server.call(tool, arguments)
        spent = time.perf_counter() - began
        if refused:
            sys.exit(f"{tool}: {said}")
        return spent * 1000

    def run(self, *words):
        return timed([self.binary, "-C", self.checkout, *words], self.env)[0]

    def fresh(self):
        self.token += 1
        return self.token

    def memory(self):
        """Returns the KiB that the server holds."""
        status = pathlib.Path(f"/proc/{self.server.server.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0])


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--binary", help="the tool, instead of the release build")
    arguments.add_argument("--turns", type=int, default=500)
    arguments.add_argument("--calls", type=int, default=4000)
    given = arguments.parse_args()
    binary = os.path.abspath(given.binary) if given.binary else built()
    with tempfile.TemporaryDirectory(prefix="segedit-bench-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        measured = Measured(folder, binary)
        times(measured, given.turns)
        memory(measured, given.calls)
        measured.server.leave()


def times(measured, turns):
    peers = {
        "segedit_show": measured.show,
        "segedit_edit": measured.edit,
        "segedit_replace": measured.replace,
        COMMAND: measured.apply,
        "git segedit show": measured.show_command,
        "git segedit --version": measured.start,
    }
    for peer in peers.values():
        peer()
    spent = {name: [] for name in peers}
    for _ in range(turns):
        for name, peer in peers.items():
            spent[name].append(peer())
    beside = statistics.median(spent[COMMAND])
    print(f"median of {turns}, repository of {FILES} files, file of {LINES} lines")
    print(f"{'':24} {'ms':>7} {'fastest tenth':>14} {'/ apply':>8}")
    for name, all_of in spent.items():
        median = statistics.median(all_of)
        goal = f"  at most {GOALS[name]} ms: {'met' if median <= GOALS[name] else 'missed'}" if name in GOALS else ""
        tenth = sorted(all_of)[len(all_of) // 10]
        print(f"{name:24} {median:7.2f} {tenth:14.2f} {median / beside:8.2f}{goal}")


def memory(measured, calls):
    """Three calls that look to one that edits, in a server of their own."""
    measured.server.leave()
    measured.server = Conversation(measured.binary, measured.checkout, env=measured.env)
    held = {}
    for number in range(1, calls + 1):
        (measured.show if number % 4 else measured.edit)()
        if number in (calls // 10, calls):
            held[number] = measured.memory()
    early, late = held.values()
    met = "met" if late <= MEMORY_GOAL * early else "missed"
    print(f"memory of the server: {early} KiB after {calls // 10} calls, {late} KiB after {calls}: ×{late / early:.2f}, {met}")


main()
