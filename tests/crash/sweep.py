"""Kills and fails `git segedit apply`, `undo` and `redo` at their n-th system call of each kind, and looks at what git finds then.

    python3 tests/crash/sweep.py [--program target/debug/git-segedit] [--every 7] [--seconds 60] [--most 60] [--files 40]
                                 [--ways commit,branch,bare,index,cached,worktree,stash] [--verbs apply,undo,redo] [--kinds kill,error,full]

Needs strace; `full` needs leave to mount a tmpfs. Exit status 1 if a state was bad, each of which is told with what led to it. The
README beside it says what is held to.
"""

import argparse
import collections
import itertools
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

CALLS = "openat write link unlink rename renameat2 mkdir fsync ftruncate close linkat unlinkat".split()
ERRORS = ["ENOSPC", "EIO", "EINTR", "EMFILE"]
WAYS = ["commit", "branch", "bare", "index", "cached", "worktree", "stash"]
VERBS = ["apply", "undo", "redo"]
WORDS = {"commit": [], "branch": ["--branch", "other"], "bare": ["--branch", "main"]}
CONFIG = """[user]\nname = Ada Tester\nemail = ada@example.org\n[init]\ndefaultBranch = main\n[core]\nfsync = none
[gc]\nauto = 0\n"""


class World:
    """A sealed home, a template repository for each way, and the operation file."""

    def __init__(self, options, folder):
        self.options, self.folder, self.ids = options, pathlib.Path(folder), {}
        home = self.folder / "home"
        home.mkdir()
        (home / ".gitconfig").write_text(CONFIG)
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1", "TMPDIR": str(self.folder), "LC_ALL": "C",
            "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_CEILING_DIRECTORIES": str(self.folder),
        }
        self.operations = self.folder / "operations.yaml"
        self.operations.write_text(operations(options.files))
        self.template = self.folder / "template"
        self.template.mkdir()
        self.git(self.template, "init", "-q")
        for number in range(options.files):
            write(self.template / f"d{number % 5}" / f"f{number}.txt", f"one {number}\ntwo\n", executable=number % 7 == 0)
        write(self.template / "mine.txt", "mine\n")
        self.git(self.template, "add", "-A")
        self.git(self.template, "commit", "-qm", "first")
        self.git(self.template, "branch", "other")
        write(self.template / "mine.txt", "staged\n")
        self.git(self.template, "add", "mine.txt")
        write(self.template / "mine.txt", "edited\n")

    def run(self, folder, *words, **more):
        return subprocess.run(list(map(str, words)), cwd=folder, env=self.environment, capture_output=True, text=True,
                              errors="replace", timeout=120, **more)

    def traced(self, folder, words):
        """Runs what may never end; then all of it is ended, and `Endless` raised."""
        child = subprocess.Popen(list(map(str, words)), cwd=folder, env=self.environment, text=True, errors="replace",
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        try:
            said, complained = child.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.communicate()
            raise Endless from None
        return subprocess.CompletedProcess(words, child.returncode, said, complained)

    def git(self, folder, *words):
        done = self.run(folder, "git", *words)
        if done.returncode:
            raise Bad(f"git {' '.join(words)}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def fresh(self, way, verb, folder):
        """Makes a repository to suffer in, in which `verb` has something to do."""
        if verb != "apply":
            template = self.folder / f"template-{way}-{verb}"
            if not template.exists():
                self.fresh(way, "apply", template)
                for earlier in VERBS[:VERBS.index(verb)]:
                    done = self.run(template, *self.command(way, earlier, self.ids.get((way, verb))))
                    if done.returncode:
                        raise Bad(f"{way} {earlier}: {done.returncode}\n{done.stderr}")
                    self.ids[way, verb] = self.batches(template)[0]["id"]
                # Refs that are to be removed are then in a file that others lock, too.
                self.git(template, "pack-refs", "--all")
            shutil.copytree(template, folder, symlinks=True)
        elif way == "bare":
            shutil.copytree(self.template / ".git", folder)
            (folder / "index").unlink()
            self.git(folder, "config", "core.bare", "true")
        else:
            shutil.copytree(self.template, folder, symlinks=True)
        if way != "bare":
            self.git(folder, "update-index", "-q", "--refresh")
        return folder

    def apply(self, way):
        words = WORDS.get(way, ["--destination", way])
        return [self.options.program, "apply", self.operations, "--quiet", "--no-diff", *words]

    def command(self, way, verb, batch=None):
        batch = batch or self.ids.get((way, verb))
        return self.apply(way) if verb == "apply" else [self.options.program, verb, batch, "--quiet", "--no-diff"]

    def batches(self, folder):
        return json.loads(self.run(folder, self.options.program, "log", "--format", "json").stdout)["batches"]

    def history(self, folder):
        """Returns what the history says: for each batch whether it stands."""
        return [batch["undone"] is None for batch in self.batches(folder)]

    def see(self, way, folder):
        """Returns what git says about everything that a batch may change."""
        said = [self.git(folder, "for-each-ref", "--format=%(refname) %(tree)", "refs/heads", "refs/stash")]
        git = folder if way == "bare" else folder / ".git"
        for log in ("HEAD", "refs/heads/main", "refs/heads/other", "refs/stash"):
            path = git / "logs" / log
            said += [line.split("\t")[-1] for line in path.read_text().splitlines()] if path.exists() else []
        if way != "bare":
            said.append(self.git(folder, "status", "--porcelain", "--untracked-files=all"))
            said.append(self.git(folder, "ls-files", "--stage"))
            for path in sorted(path for path in folder.rglob("*") if ".git" not in path.relative_to(folder).parts):
                if path.is_file():
                    said.append(f"{path.relative_to(folder)} {path.stat().st_mode & 0o100} {path.read_text()}")
        return said


class Bad(Exception):
    """A state that must not be."""


class Endless(Exception):
    """A run that never ends."""


def operations(files):
    lines = ["version: 1", "operations:"]
    for number in range(files):
        name = f"d{number % 5}/f{number}.txt"
        if number % 5 == 1:
            lines.append(f"  - {{op: remove, file: {name}}}")
        elif number % 5 == 3:
            lines.append(f"  - {{op: rename_file, file: {name}, to: new{number % 2}/{number}.txt}}")
        else:
            lines.append(f"  - {{op: replace, file: {name}, lines: 2, content: \"TWO {number}\\n\"}}")
    return "\n".join(lines) + "\n"


def write(path, text, executable=False):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755 if executable else 0o644)


def litter(way, folder):
    """Returns what a good run does not leave."""
    git = folder if way == "bare" else folder / ".git"
    found = [str(path.relative_to(git)) for path in git.rglob("*") if path.name.endswith(".lock") or "index.segedit-" in path.name]
    home = git / "segedit"
    found += [f"segedit/{path.name}" for path in home.glob("*") if path.name not in ("lock", "intents", "cache")]
    found += [f"segedit/intents/{path.name}" for path in home.glob("intents/*")]
    return found


class Expected:
    """What a run that nothing happens to makes of it."""

    def __init__(self, world, way, verb):
        folder = world.fresh(way, verb, world.folder / f"whole-{way}-{verb}")
        self.before, self.history_before = world.see(way, folder), world.history(folder)
        done = world.run(folder, *world.command(way, verb))
        if done.returncode:
            raise Bad(f"{way} {verb}: {done.returncode}\n{done.stderr}")
        self.after, self.history_after = world.see(way, folder), world.history(folder)
        assert self.before != self.after and not litter(way, folder), litter(way, folder)
        shutil.rmtree(folder)


def strace(*injection):
    return ["strace", "-f", "-qqq", "-o", "/dev/null", *itertools.chain(*(["-e", part] for part in injection)), "--"]


def check(world, way, expected, folder, done, killed, number):
    """Holds the state after an accident to what is promised; raises `Bad`."""
    world.git(folder, "fsck", "--strict", "--no-dangling")
    if not killed:
        if done.returncode not in (0, 4, 5):
            raise Bad(f"exit {done.returncode}\n{done.stderr}")
        found = world.see(way, folder)
        if done.returncode == 0 and found != expected.after:
            raise Bad(f"exit 0, but not wholly there\n{done.stderr}\n{differing(expected.after, found)}")
        if done.returncode and found != expected.before:
            # What an error that lasts leaves behind is for the next command, as after a kill.
            if "left" not in world.tolerated:
                raise Bad(f"exit {done.returncode}, but not as before\n{done.stderr}\n{differing(expected.before, found)}")
    nowhere = [world.options.program, "apply", "-", "--quiet"]
    if number % 2:
        after = world.run(folder, world.options.program, "recover")
    else:
        after = world.run(folder, *nowhere, input="version: 1\noperations:\n  - {op: remove, file: no/such}\n")
    if after.returncode not in (0, 3, 4):
        raise Bad(f"the next command: exit {after.returncode}\n{after.stderr}")
    found = world.see(way, folder)
    if found not in (expected.before, expected.after):
        raise Bad("neither before nor after\n" + min(differing(expected.before, found), differing(expected.after, found), key=len))
    # What is neither a lock nor a journal waits for whoever publishes next.
    if left := [name for name in litter(way, folder) if "segedit-" not in name and "/tmp-" not in name and not name.endswith(".new")]:
        raise Bad(f"left: {left}")
    history, wanted = world.history(folder), expected.history_after if found == expected.after else expected.history_before
    if history != wanted:
        raise Bad(f"the history says {history}, git says {wanted}")
    if way != "bare":
        staged = world.git(folder, "diff", "--cached", "--no-renames", "--name-only")
        world.git(folder, "commit", "-qm", "next")
        if world.git(folder, "show", "--format=", "--no-renames", "--name-only") != staged:
            raise Bad("the next commit holds more or less than what was staged")
    more = "version: 1\noperations:\n  - {op: create, file: more.txt, content: more}\n"
    words = ["-" if word == world.operations else word for word in world.apply(way)]
    after = world.run(folder, *words, input=more)
    if after.returncode:
        raise Bad(f"the next batch: exit {after.returncode}\n{after.stderr}")
    if left := litter(way, folder):
        raise Bad(f"left after the next batch: {left}")
    world.git(folder, "fsck", "--strict", "--no-dangling")


def differing(expected, found):
    lines = lambda said: [line for part in said for line in part.splitlines()]
    expected, found = lines(expected), lines(found)
    return "\n".join([f"- {line}" for line in expected if line not in found] + [f"+ {line}" for line in found if line not in expected])


class Sweep:
    def __init__(self, world):
        self.world, self.counts, self.bad, self.number = world, collections.Counter(), [], 0
        self.end = time.monotonic() + world.options.seconds
        self.cases = list(itertools.product(world.options.ways, world.options.verbs))
        self.expected = {case: Expected(world, *case) for case in self.cases}

    def over(self):
        return time.monotonic() > self.end

    def suffer(self, kind, case, injection):
        """One accident."""
        self.number += 1
        way, verb = case
        folder = self.world.fresh(way, verb, self.world.folder / f"case-{self.number}")
        try:
            done = self.world.traced(folder, strace(*injection) + self.world.command(way, verb))
            killed = done.returncode in (-9, 137)
            # The standard library panics when a folder that was read cannot be closed, and the loader gives up where it cannot open
            # or close a library: as good as killed.
            killed |= "close" in injection[0] and done.returncode in (101, -6)
            killed |= done.returncode == 127 and "shared librar" in done.stderr
            self.world.tolerated = {"left"} if kind == "error for good" else set()
            if killed or done.returncode or kind != "kill":
                self.counts[kind] += 1
                check(self.world, way, self.expected[case], folder, done, killed, self.number)
        except Endless:
            # A call that is made to fail is not made at all: whoever waits for the end of a pipe that was never closed waits for ever,
            # which a close that really fails does not bring about.
            if "close" not in injection[0]:
                self.bad.append(f"{kind} {way} {verb} {' '.join(injection)}: it never ended")
                print(f"BAD {self.bad[-1]}", file=sys.stderr, flush=True)
        except (Bad, subprocess.TimeoutExpired) as bad:
            self.bad.append(f"{kind} {way} {verb} {' '.join(injection)}: {bad}")
            print(f"BAD {self.bad[-1]}", file=sys.stderr, flush=True)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def counted(self, way, verb):
        """Returns how often a good run makes each call, that of its processes counting which makes it most."""
        folder = self.world.fresh(way, verb, self.world.folder / "count")
        log = self.world.folder / "count.log"
        trace = "trace=" + ",".join(CALLS)
        self.world.run(folder, "strace", "-f", "-qqq", "-o", log, "-e", trace, "--", *self.world.command(way, verb))
        shutil.rmtree(folder)
        lines = (line.split(maxsplit=1) for line in log.read_text(errors="replace").splitlines())
        per = collections.Counter((process, said.split("(")[0]) for process, said in lines if "(" in said)
        return {call: max((count for (_, made), count in per.items() if made == call), default=0) for call in CALLS}

    def calls(self):
        """Yields every place to interrupt, thinned out, in an order that covers all ways soon."""
        every = self.world.options.every
        places = []
        for case in self.cases:
            for call, count in self.counted(*case).items():
                start = random.Random(f"{case}{call}").randrange(every)
                places += [(case, call, when) for when in range(1 + start, count + 1, every)]
        random.Random(1).shuffle(places)
        return places

    def kill_and_fail(self, kinds):
        places = self.calls()
        self.end = time.monotonic() + self.world.options.seconds
        for at, (case, call, when) in enumerate(places):
            if self.over() or at == self.world.options.most:
                # How many there are depends on how the threads meet.
                print(f"stopped after {at} of some {round(len(places), -3)} places", file=sys.stderr)
                return
            if "kill" in kinds:
                self.suffer("kill", case, [f"trace={call}", f"inject={call}:signal=KILL:when={when}"])
            if "error" in kinds:
                error = ERRORS[at % len(ERRORS)]
                self.suffer("error", case, [f"trace={call}", f"inject={call}:error={error}:when={when}"])
                # Who is interrupted tries again, and again for good if it never ends.
                if error != "EINTR":
                    self.suffer("error for good", case, [f"trace={call}", f"inject={call}:error={error}:when={when}+"])

    def fill(self):
        """Publishes on a file system with little room left."""
        mount = self.world.folder / "small"
        mount.mkdir(exist_ok=True)
        rooms = [*range(0, 52, 4), 96, 160, 240, 320, 480, 640]
        tries = list(itertools.product(self.cases, rooms))
        random.Random(1).shuffle(tries)
        for (way, verb), room in tries[: self.world.options.most]:
            if self.over():
                return
            if self.world.run("/", "mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", mount).returncode:
                print("skipped: no leave to mount a tmpfs", file=sys.stderr)
                return
            try:
                folder = self.world.fresh(way, verb, mount / "repo")
                filler = mount / "filler"
                with open(filler, "wb", buffering=0) as file:
                    try:
                        while file.write(bytes(4096)) == 4096:
                            pass
                    except OSError:
                        pass
                    os.ftruncate(file.fileno(), max(0, os.fstat(file.fileno()).st_size - room * 1024))
                done = self.world.run(folder, *self.world.command(way, verb))
                # Looked at with room again: git itself writes, too.
                filler.unlink()
                self.number += 1
                self.counts["full"] += 1
                self.counts["full, published"] += done.returncode == 0
                self.world.tolerated = set()
                check(self.world, way, self.expected[way, verb], folder, done, False, self.number)
            except Bad as bad:
                self.bad.append(f"full {way} {verb} {room}K: {bad}")
                print(f"BAD {self.bad[-1]}", file=sys.stderr, flush=True)
            finally:
                self.world.run("/", "umount", "-l", mount)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    root = pathlib.Path(__file__).absolute().parents[2]
    parser.add_argument("--program", default=str(root / os.environ.get("CARGO_TARGET_DIR", "target") / "debug/git-segedit"))
    parser.add_argument("--every", type=int, default=1, help="try every n-th call only")
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after so many seconds")
    parser.add_argument("--most", type=int, help="stop after so many places, and so many full disks")
    parser.add_argument("--files", type=int, default=40)
    parser.add_argument("--ways", type=lambda text: text.split(","), default=WAYS)
    parser.add_argument("--verbs", type=lambda text: text.split(","), default=VERBS)
    parser.add_argument("--kinds", type=lambda text: text.split(","), default=["kill", "error", "full"])
    options = parser.parse_args()
    if not shutil.which("strace"):
        print("skipped: no strace here")
        return 0
    with tempfile.TemporaryDirectory(prefix="segedit-sweep-") as folder:
        sweep = Sweep(World(options, folder))
        if "full" in options.kinds:
            sweep.fill()
        if {"kill", "error"} & set(options.kinds):
            sweep.kill_and_fail(options.kinds)
    print(", ".join(f"{kind}: {count}" for kind, count in sorted(sweep.counts.items())) + f"; bad states: {len(sweep.bad)}")
    return 1 if sweep.bad else 0


if __name__ == "__main__":
    sys.exit(main())
