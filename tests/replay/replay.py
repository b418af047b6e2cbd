"""Replays a project's own history through `git segedit`, edit by edit, by name.

    replay.py REPOSITORY [--binary PATH] [--limit N] [--jobs N] [--verbose]

For each commit that only modifies `.py` files, an operation file is made from its parent and itself: one `replace` for
each function or method that changed (`part: whole` where its decorators or the comments above it changed), `lines` for
what stands outside functions, the whole file where neither explains the change. It is applied to a branch at the parent,
in a bare clone; then the branch's tree must be the commit's own tree, to the byte.

A batch that is refused because it removes what nothing asked to remove is given again, each refused operation with one
line more, `allow_remove` with the names that the report lists, and is counted by itself.

Operations and trees are counted apart, so that a score made of whole-file replacements shows for what it is. Nothing is
written to REPOSITORY, and nothing of it is kept.
"""

import argparse
import ast
import collections
import concurrent.futures
import difflib
import io
import json
import os
import subprocess
import sys
import tempfile
import tokenize

ENVIRONMENT = {
    "PATH": os.environ.get("PATH", ""),
    "HOME": "/nonexistent",
    "LC_ALL": "C.UTF-8",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Replay",
    "GIT_AUTHOR_EMAIL": "replay@example.org",
    "GIT_COMMITTER_NAME": "Replay",
    "GIT_COMMITTER_EMAIL": "replay@example.org",
}

# What a replay is made of, by the coarsest operation in it.
SORTS = [("file", "with whole files"), ("lines", "with lines"), (None, "by name alone")]


def git(repository, *arguments, text=True):
    """Returns what git prints."""
    run = subprocess.run(["git", "-C", repository, *arguments], env=ENVIRONMENT, capture_output=True, check=True)
    return run.stdout.decode("utf-8", "surrogateescape") if text else run.stdout


class Unsuitable(Exception):
    """Why a commit is not replayed."""


# --- What a version of a file holds ---------------------------------------------------------------------------------


class Function:
    """A function outside other functions: its address and its lines, from 0, end excluded."""

    def __init__(self, address, start, end, whole_start):
        self.address = address
        self.start, self.end, self.whole_start = start, end, whole_start


def lines_of(source):
    """Returns the lines, each with its ending."""
    return source.replace("\r\n", "\n").splitlines(keepends=True)


def functions(source, lines):
    """Returns the file's functions and methods; names that occur twice get their number."""
    found, names = [], []

    def visit(body, prefix):
        for node in body:
            if isinstance(node, ast.ClassDef):
                names.append((prefix + node.name, node))
                visit(node.body, f"{prefix}{node.name}.")
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                names.append((prefix + node.name, node))
                found.append(node)
            elif isinstance(node, (ast.Assign, ast.AnnAssign)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if len(targets) == 1 and isinstance(targets[0], ast.Name):
                    names.append((prefix + targets[0].id, node))
            else:
                for field in ("body", "orelse", "finalbody"):
                    visit(getattr(node, field, []), prefix)
                for branch in getattr(node, "handlers", []) + getattr(node, "cases", []):
                    visit(branch.body, prefix)

    visit(ast.parse(source).body, "")
    counts = collections.Counter(name for name, _ in names)
    seen, addresses = collections.Counter(), {}
    for name, node in sorted(names, key=lambda pair: pair[1].lineno):
        seen[name] += 1
        addresses[node] = f"{name}[{seen[name]}]" if counts[name] > 1 else name
    return [function(addresses[node], node, lines) for node in found if has_own_lines(node, lines)]


def has_own_lines(node, lines):
    before = lines[node.lineno - 1].encode()[: node.col_offset].strip()
    after = lines[node.end_lineno - 1].encode()[node.end_col_offset :].strip()
    return not before and (not after or after.startswith(b"#"))


def function(address, node, lines):
    start, end = node.lineno - 1, node.end_lineno
    whole = min([start] + [decorator.lineno - 1 for decorator in node.decorator_list])
    while whole > 0 and lines[whole - 1].lstrip().startswith("#"):
        whole -= 1
    return Function(address, start, end, whole)


# --- From two versions to operations --------------------------------------------------------------------------------


def white(line):
    return line[: len(line) - len(line.lstrip(" \t"))]


def margin_off(text):
    """Returns `text` without the white space that all its lines begin with; lines inside strings keep theirs."""
    lines = text.split("\n")
    frozen = inside_strings(text)
    movable = [line for number, line in enumerate(lines, 1) if number not in frozen and line.strip()]
    margin = len(os.path.commonprefix([white(line) for line in movable]))

    def moved(number, line):
        return line if number in frozen else line[margin:] if line.strip() else ""

    return "\n".join(moved(number, line) for number, line in enumerate(lines, 1))


def inside_strings(text):
    """Returns the lines, from 1, that begin inside a string that is no docstring."""
    shift = 1 if text[:1] in (" ", "\t") else 0
    wrapped = "if 1:\n" * shift + text
    docstrings = set()
    for node in ast.walk(ast.parse(wrapped)):
        for body in (getattr(node, "body", None), getattr(node, "orelse", None), getattr(node, "finalbody", None)):
            if isinstance(body, list):
                docstrings.update(lines_of_docstrings(node, body))
    frozen, opened = set(), []
    for token in tokenize.generate_tokens(io.StringIO(wrapped + "\n").readline):
        name, first = tokenize.tok_name[token.type], token.start[0]
        if name == "FSTRING_START":
            opened.append(first)
        elif name == "FSTRING_END":
            first = opened.pop()
        if name in ("STRING", "FSTRING_END"):
            frozen.update(number - shift for number in range(first + 1, token.end[0] + 1) if number not in docstrings)
    return frozen


def lines_of_docstrings(node, body):
    """Returns the lines of the docstrings in `body`: that of `node`, and those below assignments, which speak of attributes."""
    documented = (ast.Assign, ast.AnnAssign)
    defines = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and body is node.body
    lines = set()
    for before, statement in zip([None, *body], body):
        text = statement.value if isinstance(statement, ast.Expr) else None
        is_text = isinstance(text, ast.Constant) and isinstance(text.value, str)
        if is_text and (isinstance(before, documented) or (before is None and defines)):
            lines.update(range(statement.lineno, statement.end_lineno + 1))
    return lines


def operations(path, old, new):
    """Returns the operations that make `new` of `old`, each with what it is counted as."""
    old_lines, new_lines = lines_of(old), lines_of(new)
    try:
        before = {function.address: function for function in functions(old, old_lines)}
        after = {function.address: function for function in functions(new, new_lines)}
    except (SyntaxError, ValueError) as error:
        raise Unsuitable("this Python cannot parse it") from error
    if old.endswith("\n") != new.endswith("\n"):
        # A file keeps its final line ending, or the lack of it, under any edit of a part.
        return whole_file(path, new_lines)
    claims = []  # (old start, old end, new start, new end, operation, kind)
    for address in before.keys() & after.keys():
        one, other = before[address], after[address]
        if white(old_lines[one.start]) != white(new_lines[other.start]):
            continue
        definition = old_lines[one.start : one.end] != new_lines[other.start : other.end]
        whole = old_lines[one.whole_start : one.start] != new_lines[other.whole_start : other.start]
        if not definition and not whole:
            continue
        start, new_start = (one.whole_start, other.whole_start) if whole else (one.start, other.start)
        text = "".join(new_lines[new_start : other.end]).rstrip("\n")
        operation = {"op": "replace", "file": path, "symbol": address, "content": margin_off(text) + "\n"}
        if any(line[:-1].isspace() for line in [*old_lines[start : one.end], *new_lines[new_start : other.end]]):
            # White space on blank lines is nobody's indentation: to change it, the content has to be taken as it is.
            operation |= {"content": text + "\n", "indent": "keep"}
        if whole:
            operation["part"] = "whole"
        claims.append((start, one.end, new_start, other.end, operation, "whole" if whole else "symbol"))
    return explained(path, old_lines, new_lines, sorted(claims, key=lambda claim: claim[0]))


def explained(path, old_lines, new_lines, claims):
    """Adds `lines` operations for what lies between the claims, or takes the whole file where they cross."""
    result, at, new_at = [], 0, 0
    for start, end, new_start, new_end, operation, kind in [*claims, (len(old_lines), 0, len(new_lines), 0, None, None)]:
        between = gap(path, old_lines, at, start, new_lines[new_at:new_start])
        if start < at or new_start < new_at or between is None:
            return whole_file(path, new_lines)
        result += between
        if operation is not None:
            result.append((operation, kind))
            at, new_at = end, new_end
    return result


def whole_file(path, new_lines):
    return [({"op": "replace", "file": path, "content": "".join(new_lines)}, "file")]


def gap(path, old_lines, start, end, new):
    """Returns `lines` operations that make `new` of the lines between two claims, or None if no lines there can."""
    old = old_lines[start:end]
    changes = []
    for tag, low, high, new_low, new_high in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        if low == high:
            # Nothing is replaced, so a neighbour is taken along.
            if high < len(old):
                high, new_high = high + 1, new_high + 1
            elif low > 0:
                low, new_low = low - 1, new_low - 1
            else:
                return None
        if changes and low <= changes[-1][1]:
            changes[-1][1], changes[-1][3] = high, new_high
        else:
            changes.append([low, high, new_low, new_high])
    made = []
    for low, high, new_low, new_high in changes:
        text = "".join(new[new_low:new_high])
        if start + high == len(old_lines) and not (text.endswith("\n") and old_lines[-1].endswith("\n")):
            return None
        span = f"{start + low + 1}-{start + high}"
        made.append(({"op": "replace", "file": path, "lines": span, "content": text, "indent": "keep"}, "lines"))
    return made


# --- Commits --------------------------------------------------------------------------------------------------------


def suitable(repository, limit):
    """Returns the newest commits with one parent that only modify `.py` files, as (commit, parent, paths)."""
    log = git(repository, "log", "--no-merges", "--no-renames", "--raw", "--no-abbrev", "--format=%x00%H %P", "-z")
    chosen, current, files = [], [], []

    def close():
        if len(current) == 2 and files and all(fits for _, fits in files):
            chosen.append((*current, [path for path, _ in files]))

    words = iter(log.split("\0"))
    for word in words:
        word = word.strip("\n")
        if word.startswith(":"):
            old_mode, new_mode, _, _, status = word[1:].split(" ")
            path = next(words)
            plain = old_mode == new_mode and old_mode in ("100644", "100755")
            files.append((path, status == "M" and plain and path.endswith(".py")))
        elif word:
            close()
            if len(chosen) >= limit:
                return chosen
            current, files = word.split(" "), []
    close()
    return chosen


def text_of(repository, commit, path):
    try:
        text = git(repository, "cat-file", "blob", f"{commit}:{path}", text=False).decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unsuitable("not UTF-8") from error
    except subprocess.CalledProcessError as error:
        raise Unsuitable("not in the clone") from error
    if text.startswith("\ufeff") or any(mark in text for mark in "\x0c\x0b\x1c\x1d\x1e\x85\u2028\u2029"):
        raise Unsuitable("lines that Python and git count differently")
    if "\r" in text.replace("\r\n", "\n"):
        raise Unsuitable("lone carriage returns")
    return text


def published(repository, binary, branch, edits):
    """Applies a batch; returns the run and its report, if there is one."""
    manifest = {"version": 1, "branch": branch, "message": "replayed", "operations": edits}
    with tempfile.NamedTemporaryFile("w", suffix=".yaml", encoding="utf-8") as file:
        json.dump(manifest, file, ensure_ascii=False)
        file.flush()
        command = [binary, "-C", repository, "apply", "--format", "json", "--no-diff", file.name]
        run = subprocess.run(command, env=ENVIRONMENT, capture_output=True)
    try:
        return run, json.loads(run.stdout)
    except ValueError:
        return run, None


def replay(repository, binary, number, commit, parent, paths):
    """Returns (outcome, kinds of operations, detail)."""
    try:
        batch = []
        for path in paths:
            batch += operations(path, text_of(repository, parent, path), text_of(repository, commit, path))
    except Unsuitable as reason:
        return f"unsuitable: {reason}", [], ""
    kinds = [kind for _, kind in batch]
    branch = f"replay/{number}"
    git(repository, "update-ref", f"refs/heads/{branch}", parent)
    edits = [operation for operation, _ in batch]
    run, report = published(repository, binary, branch, edits)
    allowed = ""
    if report and report["errors"] and all(
        error["code"] == "would-remove" for error in report["errors"]
    ):
        allowed = ", once what goes is allowed by name"
        for index in {error["operation"] for error in report["errors"]}:
            names = [removed["address"] for removed in report["operations"][index]["removed"]]
            # Nothing but `true` lets most of a file go.
            shrinks = any(error["message"].endswith(" lines") for error in report["errors"])
            edits[index]["allow_remove"] = True if shrinks else names
        run, report = published(repository, binary, branch, edits)
    if report is None:
        return f"no report, exit {run.returncode}", kinds, run.stderr.decode(errors="replace")[-2000:]
    if report["status"] not in ("published", "unchanged"):
        errors = report.get("errors", [])
        codes = sorted({error["code"] for error in errors})
        return f"{report['status']}: {', '.join(codes)}", kinds, "\n".join(error["message"] for error in errors)
    wanted, got = (git(repository, "rev-parse", f"{name}^{{tree}}").strip() for name in (commit, f"refs/heads/{branch}"))
    if wanted == got:
        return f"identical{allowed}", kinds, ""
    blank = ["git", "-C", repository, "diff", "--quiet", "--ignore-space-at-eol", wanted, got]
    detail = git(repository, "diff", wanted, got)
    if subprocess.run(blank, env=ENVIRONMENT).returncode:
        return "differs", kinds, detail
    return "differs in white space at line ends", kinds, detail


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository")
    parser.add_argument("--binary", default="git-segedit")
    parser.add_argument("--limit", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=1, help="commits replayed at once, in one clone")
    parser.add_argument("--verbose", action="store_true", help="show what each failure is about")
    options = parser.parse_args()
    sys.setrecursionlimit(10_000)
    outcomes, made, made_of = collections.Counter(), collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory(prefix="replay-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        clone = os.path.join(folder, "clone.git")
        subprocess.run(["git", "init", "-q", "--bare", clone], env=ENVIRONMENT, check=True)
        objects = git(options.repository, "rev-parse", "--path-format=absolute", "--git-path", "objects").strip()
        with open(os.path.join(clone, "objects/info/alternates"), "w") as file:
            file.write(objects + "\n")
        git(clone, "update-ref", "refs/heads/replayed", git(options.repository, "rev-parse", "HEAD").strip())
        git(clone, "symbolic-ref", "HEAD", "refs/heads/replayed")
        commits = suitable(clone, options.limit)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            waiting = [
                (commit, pool.submit(replay, clone, options.binary, number, commit, parent, paths))
                for number, (commit, parent, paths) in enumerate(commits)
            ]
            for commit, future in waiting:
                outcome, kinds, detail = future.result()
                outcomes[outcome] += 1
                made.update(kinds)
                if outcome.startswith("identical"):
                    made_of[next(sort for kind, sort in SORTS if kind is None or kind in kinds)] += 1
                elif options.verbose and not outcome.startswith("unsuitable"):
                    print(f"--- {commit} {outcome} {dict(collections.Counter(kinds))}\n{detail[:3000]}", flush=True)
    print(f"{len(commits)} commits; operations made: {dict(made)}")
    for outcome, count in outcomes.most_common():
        print(f"{count:6} {outcome}")
    print(f"identical trees: {dict(made_of)}")


if __name__ == "__main__":
    main()
