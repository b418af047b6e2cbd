"""What is measured: each task with its peers, each run with content that no run had, each end compared with the floor's."""

import os
import re
import shutil

from . import contents, peers, repository
from .process import BRANCH, peak_memory, timed
from .repository import Repository, write

TOOL, FLOOR = peers.TOOL, peers.FLOOR
SIZES = {"1k": 1_000, "7k": 7_000, "10k": 10_000, "100k": 100_000}
# Edits in as many files of the largest repository.
BATCHES = (1, 10, 100, 1_000, 10_000)
# What of many peers is worth its time in every task.
ALWAYS = {TOOL, FLOOR, peers.PACK_FLOOR, peers.GIT_APPLY, peers.AST_GREP, peers.CHECKED_OUT}


class World:
    """The folder of the whole benchmark, its programs, and the repositories that several tasks share."""

    def __init__(self, folder, programs, env):
        self.folder, self.programs, self.env = folder, programs, env
        self.made = {}

    def repository(self, name, files):
        """Returns a repository with those files, made once; the one before is removed, for they are large."""
        if name not in self.made:
            for other in self.made.values():
                other.remove()
            self.made = {name: Repository(os.path.join(self.folder, name), files(), self.env)}
        return self.made[name]

    def scratch(self, name):
        folder = os.path.join(self.folder, f"inputs-{name}")
        shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(folder)
        return folder


class Edit:
    """Spots edited, as one commit."""

    def __init__(self, name, title, files, store, content, all_peers=False):
        self.name, self.title, self.files, self.store, self.content = name, title, files, store, content
        self.all_peers = all_peers

    def open(self, world):
        self.prepare(world)
        bare = peers.bare(world.programs, self.inputs, self.repository)
        clone = peers.checked_out(world.programs, self.inputs, self.repository)
        self.commands = {name: command for name, command in (bare | clone).items() if self.all_peers or name in ALWAYS}
        self.places = {name: self.repository.checkout if name in clone else self.repository.bare for name in self.commands}
        self.token = 0
        for place in set(self.places.values()):
            self.repository.keep(place)
        self.pristine = dict(self.repository.kept)
        self.settle()

    def prepare(self, world):
        self.repository = world.repository(self.store, self.content)
        self.edited = self.files()
        self.touched = sum(len(file.template) for file in self.edited)
        self.inputs = peers.Inputs(world.scratch(self.name), self.edited)

    def settle(self):
        """Runs the tool once in both repositories: what it makes only once is there from now on."""
        self.inputs.fresh(0, 1)
        for place in sorted(set(self.places.values())):
            command = [word.replace(self.repository.bare, place) for word in self.commands[TOOL]]
            timed(command, self.repository.env)
            self.repository.keep(place)
            self.repository.restore(place, self.edited, 1)
            self.repository.keep(place)
        self.token = 1

    def fresh(self, token):
        self.inputs.fresh(self.token, token)

    def before(self, name):
        pass

    def ended(self, name, output):
        return self.repository.tree(self.places[name])

    def restore(self, name):
        self.repository.restore(self.places[name], self.edited, self.token)

    def close(self):
        self.repository.kept = self.pristine
        for place in set(self.places.values()):
            self.repository.restore(place, self.edited, 0)


class InAClone(Edit):
    """The same in a clone, whose index and files follow: to each destination, taken back, and what `git status` costs next."""

    def open(self, world):
        self.prepare(world)
        done = peers.of_a_clone(world.programs, self.inputs, self.repository)
        self.commands = {name: command for name, (command, _) in done.items()}
        self.first = {name: first for name, (_, first) in done.items()}
        self.places = {name: self.repository.checkout for name in self.commands}
        self.token = 0
        self.repository.keep(self.repository.checkout)
        self.pristine = dict(self.repository.kept)
        self.settle()

    def before(self, name):
        for command in self.first[name]:
            timed(command, self.repository.env)

    def ended(self, name, output):
        """Returns the tree of the files as they are now, so far as the peer writes them."""
        if name in (peers.UNDO, peers.STATUS_AFTER, peers.STATUS_AFTER_GIT):
            return None
        if name == peers.CACHED:
            return self.repository.git(self.repository.checkout, "write-tree")
        self.repository.git(self.repository.checkout, "add", "-u")
        return self.repository.git(self.repository.checkout, "write-tree")


class Outline:
    """The definitions of one file listed."""

    def __init__(self, name, title, file):
        self.name, self.title, self.make = name, title, file

    def open(self, world):
        self.file = self.make()
        self.touched = len(self.file.template)
        folder = os.path.join(world.folder, f"outline-{self.name}")
        store = Repository(folder, [self.file], world.env)
        self.folder, self.path = folder, os.path.join(store.checkout, self.file.path)
        programs = world.programs
        self.commands = {
            TOOL: [programs.binary, "-C", store.checkout, "outline", self.file.path],
            FLOOR: [programs.outline_floor, self.path],
        }
        if programs.ctags:
            self.commands[peers.CTAGS] = [programs.ctags, "-f", "-", "--fields=+ne", self.path]
        if programs.ast_grep:
            self.commands[peers.AST_GREP] = [programs.ast_grep, "outline", self.path]

    def fresh(self, token):
        write(self.path, self.file.text(token))

    def before(self, name):
        pass

    def ended(self, name, output):
        """Returns the first lines and names that the tool and the floor list; the others list other things."""
        with open(output, encoding="utf-8") as file:
            lines = file.read().splitlines()
        if name == TOOL:
            found = (re.match(r" +\d+-\d+ +[0-9a-f]+ +\w+ (.*)", line) for line in lines)
        elif name == FLOOR:
            found = (re.match(r"\d+-\d+ (.*)", line) for line in lines)
        else:
            return None
        return [re.sub(r"\[\d+\]$", "", match[1]) for match in found if match]

    def restore(self, name):
        pass

    def close(self):
        shutil.rmtree(self.folder)


class Start:
    """A program that starts, says its version and ends."""

    name, title, touched = "start", "start and end (`--version`)", 0

    def open(self, world):
        self.commands = {TOOL: [world.programs.binary, "--version"], peers.GIT_VERSION: ["git", "--version"]}

    def fresh(self, token):
        pass

    before = restore = fresh

    def ended(self, name, output):
        return None

    def close(self):
        pass


class Find:
    """A definition found in the largest repository, by its name, without what an earlier search left and with it."""

    name, title, checked_out = "find", "`find` of a method in 100,000 files", False
    FIRST, AGAIN, GREP = peers.FIRST_FIND, TOOL, peers.GIT_GREP

    def open(self, world):
        self.repository = world.repository("100k", lambda: repository.layout(SIZES["100k"]))
        place = self.repository.checkout if self.checked_out else self.repository.bare
        # What an earlier search left is in the user's cache.
        self.cache = os.path.join(world.env["HOME"], ".cache", "git-segedit")
        self.touched = 0
        find = [world.programs.binary, "-C", place, "find", "TextWrapper.fill"]
        self.commands = {self.FIRST: find, self.AGAIN: find}
        where = [] if self.checked_out else [BRANCH]
        self.commands[self.GREP] = ["git", "-C", place, "grep", "-nE", r"def fill\b", *where, "--", "*.py"]
        if self.checked_out:
            self.commands[peers.GIT_STATUS] = ["git", "-C", place, "status", "--porcelain"]

    def fresh(self, token):
        pass

    restore = fresh

    def before(self, name):
        if name == self.FIRST:
            shutil.rmtree(self.cache, ignore_errors=True)

    def ended(self, name, output):
        if name not in (self.FIRST, self.AGAIN):
            return None
        with open(output, encoding="utf-8") as file:
            return file.read()

    def close(self):
        shutil.rmtree(self.cache, ignore_errors=True)


class FindInAClone(Find):
    """The same in a clone, where each file may have been changed."""

    name, title, checked_out = "find-clone", "`find` of a method in 100,000 files, in a clone", True


def all_tasks():
    tasks = [Start()]
    for name, lines in {"1k": 1_000, "10k": 10_000, "100k": 100_000}.items():
        tasks.append(large_file(f"lines-{name}", f"one function, file of {lines:,} lines", lines, 1))
    tasks.append(large_file("edits-748", "748 edits, one file of 50,000 lines", 50_000, 748, True))
    for lines in (5_000, 50_000):
        make = lambda lines=lines: contents.large("big.py", lines, lines // 50)  # noqa: E731
        tasks.append(Outline(f"outline-py-{lines // 1000}k", f"outline, Python file of {lines:,} lines", make))
        make = lambda lines=lines: contents.guide("big.md", lines)  # noqa: E731
        tasks.append(Outline(f"outline-md-{lines // 1000}k", f"outline, Markdown file of {lines:,} lines", make))
    for name, size in SIZES.items():
        content = lambda size=size: repository.layout(size)  # noqa: E731
        title = f"one method to a commit, {size:,} files"
        tasks.append(Edit(f"one-{name}", title, lambda: [repository.target()], name, content, name in ("7k", "100k")))
    for edits in BATCHES:
        files = lambda edits=edits: [repository.small(number) for number in range(edits)]  # noqa: E731
        title = f"{edits:,} edits in {edits:,} files of 100,000" if edits > 1 else "1 edit in 1 small file of 100,000"
        tasks.append(Edit(f"batch-{edits}", title, files, "100k", content, edits >= 1000))
    tasks += [Find(), FindInAClone()]
    for edits in (1_000, 10_000):
        files = lambda edits=edits: [repository.small(number) for number in range(edits)]  # noqa: E731
        tasks.append(InAClone(f"clone-{edits}", f"{edits:,} edits in {edits:,} files of 100,000", files, "100k", content))
    for name in ("100k", "7k"):
        content = lambda size=SIZES[name]: repository.layout(size)  # noqa: E731
        title = f"one method, {SIZES[name]:,} files"
        tasks.append(InAClone(f"clone-{name}", title, lambda: [repository.target()], name, content))
    return tasks


def large_file(name, title, lines, edits, all_peers=False):
    make = lambda: [contents.large("big.py", lines, edits)]  # noqa: E731
    return Edit(name, title, make, name, make, all_peers)


def measure(task, world, most_runs, seconds, say):
    """Runs the peers by turns and returns what came of it: each one's times in milliseconds, and its memory in KiB.

    As many turns as fit into `seconds`, five at least (three of what takes longer still), `most_runs` at most, always an
    odd number; the turn before them is not counted, and one after them measures memory."""
    task.open(world)
    wall, cpu, memory = ({name: [] for name in task.commands} for _ in range(3))
    output = os.path.join(world.folder, "said")
    token, turn, turns = 1000, 0, most_runs
    while turn <= turns + 1:
        token += 1
        task.fresh(token)
        ends, round_time = {}, 0
        for name, command in task.commands.items():
            task.before(name)
            if turn == turns + 1:
                memory[name] = peak_memory(command, world.env)
            else:
                passed, worked = timed(command, world.env, output)
                ends[name] = task.ended(name, output)
                round_time += passed
                if turn > 0:
                    wall[name].append(passed)
                    cpu[name].append(worked)
            task.restore(name)
        compare(task, ends)
        if turn == 0:
            fitting = int(seconds * 1000 / (2 * round_time))
            turns = min(most_runs, max(5 if round_time < 20_000 else 3, fitting)) // 2 * 2 + 1
            turns = min(turns, most_runs)
            say(f"{task.name}: {turns} turns of {round_time / 1000:.2f} s")
        turn += 1
    task.close()
    return {"name": task.name, "title": task.title, "touched": task.touched, "wall": wall, "cpu": cpu, "memory": memory}


def compare(task, ends):
    """Holds all peers to one end."""
    told = {name: end for name, end in ends.items() if end is not None}
    if len({str(end) for end in told.values()}) > 1:
        lines = "\n".join(f"  {name}: {str(end)[:300]}" for name, end in told.items())
        raise SystemExit(f"{task.name}: the peers did not end alike\n{lines}")
