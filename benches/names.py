"""Replays commits of repositories, and says of which names they would have been told that nothing defines them, or that they are misused.

    python3 benches/names.py [--most N] [--binary PATH] [--show] REPOSITORY…

Of each repository the last N commits with one parent that change a file of Python are checked as one batch each, every file as a whole. A
name that is told is a false alarm unless the commit did leave it undefined, or misused it: each is printed with its commit, to be looked at.
`judged` are the commits of which the names were looked at; what does not pass another check is not.
"""

import argparse
import collections
import json
import pathlib
import subprocess


CODES = ("undefined-name", "unknown-attribute", "unknown-import", "unfit-call")


def git(repository, *words):
    """Returns what git says, as bytes."""
    return subprocess.run(["git", "-C", repository, *words], check=True, capture_output=True).stdout


def commits(repository, most):
    """Yields commits with their parents, latest first."""
    words = ["log", "--no-merges", f"-{most}", "--format=%H %P", "--", "*.py"]
    for line in git(repository, *words).decode().splitlines():
        if len(line.split()) == 2:
            yield line.split()


def operations(repository, commit, parent):
    """Returns what a commit does to files of Python; nothing where a file is not text."""
    words = ["diff-tree", "-r", "-z", "--no-renames", "--name-status", parent, commit, "--", "*.py"]
    parts = git(repository, *words).decode().split("\0")[:-1]
    found = []
    for status, path in zip(parts[::2], parts[1::2]):
        if status == "D":
            found.append({"op": "remove", "file": path})
            continue
        if status not in ("A", "M"):
            return []
        try:
            content = git(repository, "show", f"{commit}:{path}").decode()
        except UnicodeDecodeError:
            return []
        if "\r" in content or "\0" in content:
            return []
        operation = {"op": "create" if status == "A" else "replace", "file": path, "content": content}
        if status == "M":
            operation |= {"allow_remove": True, "allow_repeat": True}
        found.append(operation)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--most", type=int, default=200)
    parser.add_argument("--binary", default="target/release/git-segedit")
    parser.add_argument("--show", action="store_true", help="print why commits were not judged")
    parser.add_argument("repositories", nargs="+")
    options = parser.parse_args()
    binary = pathlib.Path(options.binary).resolve()
    for repository in options.repositories:
        counts = collections.Counter()
        for commit, parent in commits(repository, options.most):
            batch = operations(repository, commit, parent)
            if not batch:
                continue
            counts["commits"] += 1
            file = json.dumps({"version": 1, "base": parent, "branch": "zq/replayed", "operations": batch})
            words = [binary, "-C", repository, "check", "--format", "json", "-"]
            ran = subprocess.run(words, input=file.encode(), capture_output=True)
            report = json.loads(ran.stdout)
            if report["status"] not in ("verified", "unchanged"):
                counts["not judged"] += 1
                if options.show:
                    print("  ", commit[:12], report["status"], [it["message"] for it in report["errors"]][:2])
                continue
            counts["judged"] += 1
            told = report["warnings"] + [it for one in report["operations"] for it in one["warnings"]]
            for code in CODES:
                messages = {it["message"] for it in told if it["code"] == code}
                if messages:
                    counts[f"commits with {code}"] += 1
                    counts[code] += len(messages)
                for message in sorted(messages):
                    print("  ", commit[:12], code, message)
        print(pathlib.Path(repository).name, dict(counts))


main()
