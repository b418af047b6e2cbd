"""Repositories in memory, brought back to what they were after every run.

An object that is there already is not written again, so what a run left is taken away: objects, refs, logs, the index, the
tool's own notes. What stays is as after a first run, so that none pays for what is made once."""

import os
import shutil
import subprocess

from . import contents
from .process import BRANCH

LIBRARY = "lib/d0"
FILES_IN_A_FOLDER = 100
# So that a file brought back is not taken for one that was written in the moment when the index was.
PAST = 1_700_000_000


def layout(files):
    """Yields as many files: one in fifty, a hundred at least, a whole module of the library, the others small ones.

    A hundred in a folder, a hundred folders in one above it; the path of each is three names long."""
    whole = max(FILES_IN_A_FOLDER, files // 50)
    yield target()
    for number in range(1, whole):
        yield contents.real(f"lib/d{number // FILES_IN_A_FOLDER}/{number}.py", number)
    for number in range(files - whole):
        yield small(number)


def target():
    return contents.one_method(f"{LIBRARY}/textwrap.py")


def small(number):
    folder = number // FILES_IN_A_FOLDER
    return contents.small(f"src{folder // 100}/d{folder % 100}/f{number}.py", number)


class Repository:
    """A bare repository and a checked-out clone of it."""

    def __init__(self, folder, files, env):
        self.env = env
        self.bare = os.path.join(folder, "repo.git")
        self.checkout = os.path.join(folder, "checkout")
        os.mkdir(folder)
        self.folder = folder
        self.git(folder, "init", "-q", "--bare", "-b", BRANCH, self.bare)
        # `git commit` asks each time whether to collect garbage, as by default. The answer is always no: it would be
        # collected while another peer is measured.
        self.git(self.bare, "config", "gc.auto", "1000000000")
        self.git(self.bare, "fast-import", "--quiet", input=stream((file.path, file.text(0)) for file in files))
        self.git(folder, "clone", "-q", self.bare, self.checkout)
        self.git(self.checkout, "config", "gc.auto", "1000000000")
        self.kept = {}

    def git(self, folder, *command, input=None):
        run = subprocess.run(["git", "-C", folder, *command], env=self.env, input=input, capture_output=True)
        if run.returncode:
            raise SystemExit(f"git {' '.join(command)}: {run.stderr.decode()}")
        return run.stdout.decode().strip()

    def tree(self, folder):
        return self.git(folder, "rev-parse", f"{BRANCH}^{{tree}}")

    def keep(self, folder):
        """Remembers what git's folder holds."""
        self.kept[folder] = dict(entries(git_folder(folder)))

    def restore(self, folder, files, token):
        """Brings back what was kept; in a clone also the files, with the content that the token stands for."""
        kept, there = self.kept[folder], dict(entries(git_folder(folder)))
        for path in there.keys() - kept.keys():
            os.remove(path)
        for path, content in kept.items():
            if content is not None and there.get(path) != content:
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "wb") as file:
                    file.write(content)
        remove_empty(os.path.join(git_folder(folder), "objects"))
        if folder == self.checkout:
            for file in files:
                path = os.path.join(folder, file.path)
                write(path, file.text(token))
                os.utime(path, (PAST, PAST))
            self.git(folder, "update-index", "-q", "--refresh")
            if left := self.git(folder, "status", "--porcelain"):
                raise SystemExit(f"{folder} was not brought back:\n{left[:500]}")

    def remove(self):
        shutil.rmtree(self.folder)


def git_folder(folder):
    inside = os.path.join(folder, ".git")
    return inside if os.path.isdir(inside) else folder


def entries(folder):
    """Yields each file with its content; an object, which never changes, without."""
    objects = os.path.join(folder, "objects") + os.sep
    for place, _, names in os.walk(folder):
        for path in (os.path.join(place, name) for name in names):
            if path.startswith(objects):
                yield path, None
            else:
                with open(path, "rb") as file:
                    yield path, file.read()


def remove_empty(objects):
    for place in os.scandir(objects):
        if len(place.name) == 2 and not os.listdir(place.path):
            os.rmdir(place.path)


def stream(files, parent=""):
    """Returns the input of `git fast-import` for one commit with these files."""
    parts = [
        f"commit refs/heads/{BRANCH}\ncommitter Bench <bench@example.org> 1700000000 +0000\ndata 4\nmade\n{parent}".encode()
    ]
    for path, text in files:
        content = text.encode()
        parts.append(b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(content), content))
    return b"".join(parts)


def write(path, text):
    with open(path, "wb") as file:
        file.write(text.encode() if isinstance(text, str) else text)
