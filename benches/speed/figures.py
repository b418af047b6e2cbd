"""What the times say: medians, ratios, the goals, and how cost grows. Decides; prints nothing."""

import math
import statistics

from .peers import (
    AST_GREP,
    CACHED,
    CHECKED_OUT,
    FLOOR,
    GIT_APPLY,
    GIT_STATUS,
    GIT_VERSION,
    INDEX,
    PACK_FLOOR,
    REDO,
    STATUS_AFTER,
    STATUS_AFTER_GIT,
    TOOL,
    UNDO,
    WORKTREE,
)

# Who is followed through the growths.
FOLLOWED = (TOOL, FLOOR, GIT_APPLY, AST_GREP, CHECKED_OUT)
GROWTHS = {
    "files in the repository (one method to a commit)": {"one-1k": 1_000, "one-10k": 10_000, "one-100k": 100_000},
    "lines of the file (one function to a commit)": {"lines-1k": 1_000, "lines-10k": 10_000, "lines-100k": 100_000},
    "edits of the batch (each in a file of its own)": {f"batch-{edits}": edits for edits in (1, 10, 100, 1_000, 10_000)},
}


class Figures:
    """The results by task, and what is asked of them."""

    def __init__(self, results):
        self.results = {result["name"]: result for result in results}

    def has(self, *tasks):
        return all(task in self.results for task in tasks)

    def wall(self, task, peer):
        """Returns the median in milliseconds; nothing where the peer was not there."""
        times = self.results[task]["wall"].get(peer)
        return statistics.median(times) if times else None

    def cpu(self, task, peer):
        times = self.results[task]["cpu"].get(peer)
        return statistics.median(times) if times else None

    def floor(self, task):
        """Returns the faster of the two ways to write objects."""
        return min(filter(None, (self.wall(task, FLOOR), self.wall(task, PACK_FLOOR))), default=None)

    def over(self, task, peer, other=TOOL):
        """Returns how many times longer `peer` takes than `other`."""
        return self.wall(task, peer) / self.wall(task, other)

    def memory(self, task, peer=TOOL):
        """Returns MiB."""
        return self.results[task]["memory"][peer] / 1024

    def series(self, growth, peer):
        """Returns (size, milliseconds) for each task of a growth."""
        points = (
            (size, self.floor(task) if peer == FLOOR else self.wall(task, peer))
            for task, size in GROWTHS[growth].items()
            if self.has(task)
        )
        return [(size, time) for size, time in points if time]


def exponent(points):
    """Returns the slope of the line of least squares through the logarithms."""
    xs, ys = [math.log(size) for size, _ in points], [math.log(time) for _, time in points]
    if len(points) < 2:
        return None
    middle_x, middle_y = statistics.mean(xs), statistics.mean(ys)
    return sum((x - middle_x) * (y - middle_y) for x, y in zip(xs, ys, strict=True)) / sum((x - middle_x) ** 2 for x in xs)


class Goal:
    """A ratio, and what it may be: at most, or at least."""

    def __init__(self, words, ratio, most=None, least=None):
        self.words, self.ratio, self.most, self.least = words, ratio, most, least

    @property
    def is_met(self):
        return self.ratio <= self.most if self.most is not None else self.ratio >= self.least

    @property
    def bound(self):
        return f"at most {self.most:g}" if self.most is not None else f"at least {self.least:g}"


def goals(figures):
    """Returns the goals whose tasks were run."""
    found = []

    def goal(words, tasks, ratio, **bound):
        if figures.has(*tasks):
            found.append(Goal(words, ratio(), **bound))

    def over_floor(task):
        return lambda: figures.wall(task, TOOL) / figures.floor(task)

    def apply_over(task):
        return lambda: figures.wall(task, GIT_APPLY) / figures.wall(task, TOOL)

    for name, size in {"1k": 1_000, "7k": 7_000, "10k": 10_000, "100k": 100_000}.items():
        task = f"one-{name}"
        goal(f"one method to a commit, {size:,} files: segedit / floor", [task], over_floor(task), most=2)
    goal("one method to a commit, 7,000 files: `git apply` / segedit", ["one-7k"], apply_over("one-7k"), least=3)
    goal("one method to a commit, 100,000 files: `git apply` / segedit", ["one-100k"], apply_over("one-100k"), least=30)
    goal("10,000 edits: segedit / floor", ["batch-10000"], over_floor("batch-10000"), most=2.5)
    goal("10,000 edits: `git apply` / segedit", ["batch-10000"], apply_over("batch-10000"), least=1)
    goal("748 edits of one file: segedit / floor", ["edits-748"], over_floor("edits-748"), most=3)
    for kind, words in {"py": "Python", "md": "Markdown"}.items():
        for size in (5, 50):
            task = f"outline-{kind}-{size}k"
            goal(f"outline, {words}, {size},000 lines: segedit / the fastest parser", [task], over_floor(task), most=1.5)
    goal(
        "start: segedit / `git --version`",
        ["start"],
        lambda: figures.wall("start", TOOL) / figures.wall("start", GIT_VERSION),
        most=1.5,
    )
    goal("second `find` in 100,000 files: segedit / 50 ms", ["find"], lambda: figures.wall("find", TOOL) / 50, most=1)
    words = "memory of one edit, 100,000 files / 1,000 files"
    goal(words, ["one-1k", "one-100k"], lambda: figures.memory("one-100k") / figures.memory("one-1k"), most=1.1)
    return found


def goals_of_clones(figures):
    """Returns those of edits in a clone whose tasks were run."""
    found = []

    def goal(words, task, ratio, **bound):
        if figures.has(task):
            found.append(Goal(words, ratio(), **bound))

    for task, files, times, least in (("clone-7k", "7,000", 9, 3), ("clone-100k", "100,000", 45, 5)):
        words = f"one method, {files} files"
        goal(f"{words}: segedit / {times} ms", task, lambda: figures.wall(task, TOOL) / times, most=1)
        goal(f"{words}: `git apply` / segedit", task, lambda: figures.over(task, GIT_APPLY), least=least)
    task, title = "clone-100k", "one method, 100,000 files"
    goal(f"{title}: segedit / floor", task, lambda: figures.over(task, TOOL, FLOOR), most=2)
    for place in (INDEX, CACHED, UNDO, REDO):
        goal(f"{title}: {place} / 45 ms", task, lambda: figures.wall(task, place) / 45, most=1)
    if figures.has("one-100k"):
        edit = figures.wall("one-100k", TOOL)
        goal(f"{title}: worktree / the edit in a bare repository", task, lambda: figures.wall(task, WORKTREE) / edit, most=2)
    goal(f"{title}: memory / 30 MiB", task, lambda: figures.memory(task) / 30, most=1)
    goal("1,000 edits: segedit / 150 ms", "clone-1000", lambda: figures.wall("clone-1000", TOOL) / 150, most=1)
    goal("10,000 edits: segedit / 900 ms", "clone-10000", lambda: figures.wall("clone-10000", TOOL) / 900, most=1)
    for after, edits in (("clone-100k", "one method"), ("clone-1000", "1,000 edits")):
        words = f"the next `git status` in 100,000 files after {edits}: after segedit / after git"
        goal(words, after, lambda: figures.over(after, STATUS_AFTER, STATUS_AFTER_GIT), most=1)
    most = lambda: min(50, figures.wall("find-clone", GIT_STATUS))  # noqa: E731
    words = "second `find` in 100,000 files: segedit / 50 ms, or `git status` if that is less"
    goal(words, "find-clone", lambda: figures.wall("find-clone", TOOL) / most(), most=1)
    return found


def bytes_for_a_byte(figures):
    """Returns how many bytes of memory a byte of touched files costs: what the largest batch takes beyond the smallest."""
    small, large = figures.results["batch-1"], figures.results["batch-10000"]
    return (figures.memory("batch-10000") - figures.memory("batch-1")) * 1024 * 1024 / (large["touched"] - small["touched"])
