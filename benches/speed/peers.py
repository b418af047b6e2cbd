"""Who is measured: the tool, the floors, and what one would use without it.

Each is a command that leads from the repository as it was kept to the tree that the token stands for."""

import json
import os
import shlex
import sys

from .contents import MARK
from .process import BRANCH
from .repository import FILES_IN_A_FOLDER, stream, write

TOOL, WITH_REPORT, JSON_REPORT = "segedit", "segedit, with its report", "segedit, JSON"
CHECKED_OUT, FIRST_FIND = "segedit, checked out", "segedit, first"
FLOOR, PACK_FLOOR = "floor", "floor, one pack"
GIT_APPLY, AST_GREP, AST_PEER, FAST_IMPORT = "git apply", "ast-grep", "python ast", "fast-import"
CTAGS, GIT_VERSION, GIT_GREP = "ctags", "git --version", "git grep"
INDEX, CACHED, WORKTREE, UNDO, REDO = "index", "cached", "worktree", "undo", "redo"
GIT_STATUS, STATUS_AFTER, STATUS_AFTER_GIT = "git status", "git status, after segedit", "git status, after git"


class Inputs:
    """What the commands read, written anew for every turn."""

    def __init__(self, folder, files):
        self.files = files
        self.manifest, self.patch, self.rule = (os.path.join(folder, name) for name in ("manifest.yaml", "patch", "rule.yml"))
        # The same operations, for what writes no commit.
        self.uncommitted = os.path.join(folder, "uncommitted.yaml")
        self.stream, self.imported, self.edits = (os.path.join(folder, name) for name in ("stream", "import", "edits.json"))

    def fresh(self, old, new):
        """Writes what every peer needs to lead from one token to another."""
        write(self.manifest, manifest(self.files, new))
        write(self.uncommitted, f"version: 1\n{operations(self.files, new)}")
        texts = [(file.path, file.text(new)) for file in self.files]
        write(
            self.stream, b"".join(b"%d %s\n%s\n" % (len(text.encode()), path.encode(), text.encode()) for path, text in texts)
        )
        write(self.imported, stream(texts, f"from refs/heads/{BRANCH}^0\n"))
        write(self.patch, "".join(file.patch(old, new) for file in self.files))
        write(self.rule, rule(self.files, new))
        edits = [
            (file.path, [(spot.symbol, spot.template.replace(MARK, str(new))) for spot in file.spots]) for file in self.files
        ]
        write(self.edits, json.dumps(edits))


def manifest(files, token):
    """Returns the operation file whose commit leads to the token."""
    return f"version: 1\nbranch: {BRANCH}\nmessage: bench\n{operations(files, token)}"


def operations(files, token):
    parts = ["operations:\n"]
    for file in files:
        for spot in file.spots:
            content = "".join(f"      {line}\n" if line else "\n" for line in spot.content(token).splitlines())
            parts.append(f"  - op: replace\n    file: {file.path}\n    symbol: {spot.symbol}\n    content: |\n{content}")
    return "".join(parts)


def rule(files, token):
    """Returns ast-grep's rule for the same edits: all spots have one content, but for their names."""
    spot = files[0].spots[0]
    *around, name = spot.symbol.split(".")
    names = "^edited_[0-9]+$" if name.startswith("edited_") else f"^{name}$"
    inside = f", inside: {{kind: class_definition, stopBy: end, has: {{field: name, regex: ^{around[-1]}$}}}}" if around else ""
    fix = "".join(f"  {line}\n" for line in spot.content(token).replace(f"def {name}", "def $NAME", 1).splitlines())
    where = f"{{kind: function_definition, has: {{field: name, regex: '{names}', pattern: $NAME}}{inside}}}"
    return f"id: edit\nlanguage: python\nrule: {where}\nfix: |-\n{fix}"


def places(files):
    """Returns the paths of the files, or of their folders where all files of a folder are edited."""
    if len(files) < FILES_IN_A_FOLDER:
        return [file.path for file in files]
    return sorted({os.path.dirname(file.path) for file in files})


class Programs:
    """Where the programs are; one that is not there has no peer."""

    def __init__(self, binary, floor, outline_floor, ast_grep, ctags):
        self.binary, self.floor, self.outline_floor, self.ast_grep, self.ctags = binary, floor, outline_floor, ast_grep, ctags


def after_another(*commands):
    return ["sh", "-c", " && ".join(map(shlex.join, commands))]


def bare(programs, inputs, repository):
    """Returns the peers that commit in the bare repository."""
    folder = repository.bare
    imported = f"exec {shlex.join(['git', '-C', folder, 'fast-import', '--quiet'])} < {shlex.quote(inputs.imported)}"
    floor = [programs.floor, folder, BRANCH]
    apply = [programs.binary, "-C", folder, "apply"]
    return {
        TOOL: [*apply, "-q", inputs.manifest],
        FLOOR: [*floor, "loose", inputs.stream, "bench"],
        PACK_FLOOR: [*floor, "pack", inputs.stream, "bench"],
        FAST_IMPORT: ["sh", "-c", imported],
        WITH_REPORT: [*apply, inputs.manifest],
        JSON_REPORT: [*apply, "--no-diff", "--format", "json", inputs.manifest],
    }


def checked_out(programs, inputs, repository):
    """Returns the peers that commit in the clone and leave its index and files at the new commit."""
    git = ["git", "-C", repository.checkout]
    enter = ["cd", repository.checkout]
    commit_all = [*git, "commit", "-qam", "bench"]
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ast_peer.py")
    peers = {
        GIT_APPLY: after_another([*git, "apply", "--index", inputs.patch], [*git, "commit", "-qm", "bench"]),
        AST_PEER: after_another(enter, [sys.executable, "-I", "-S", script, inputs.edits], commit_all),
        CHECKED_OUT: [programs.binary, "-C", repository.checkout, "apply", "-q", inputs.manifest],
    }
    if programs.ast_grep:
        scan = [programs.ast_grep, "scan", "--rule", inputs.rule, "-U", *places(inputs.files)]
        peers[AST_GREP] = after_another(enter, scan, commit_all)
    return peers


def of_a_clone(programs, inputs, repository):
    """Returns what is done in a clone alone: for each peer the command that is measured, and those that come before it."""
    tool = [programs.binary, "-C", repository.checkout]
    clone = checked_out(programs, inputs, repository)
    commit, by_git = clone[CHECKED_OUT], clone[GIT_APPLY]
    to = lambda place: [*tool, "apply", "-q", "--destination", place, inputs.uncommitted]  # noqa: E731
    undo, redo = [*tool, "undo", "-q"], [*tool, "redo", "-q"]
    status = ["git", "-C", repository.checkout, "status", "--porcelain"]
    return {
        TOOL: (commit, []),
        FLOOR: ([programs.floor, repository.checkout, BRANCH, "checkout", inputs.stream, "bench"], []),
        GIT_APPLY: (by_git, []),
        **{place: (to(place), []) for place in (INDEX, CACHED, WORKTREE)},
        UNDO: (undo, [commit]),
        REDO: (redo, [commit, undo]),
        STATUS_AFTER: (status, [commit]),
        STATUS_AFTER_GIT: (status, [by_git]),
    }
