"""Real edits of language models, made again by git segedit: the same bytes, or a refusal that says why.

    python3 benches/model_edits.py REPOSITORY [--binary PATH] [--most N] [--show N]

REPOSITORY is a clone of github.com/entireio/cli (branch `entire/checkpoints/v1`): 688 transcripts, in which each edit
stands with the file that it was made on. Nothing of them is kept. Each edit is one operation file (`replace` by `text`, `all: true`
where the model meant every place), applied in the default mode to a scratch repository, and the file is compared with what the
transcript's own tool made of it.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import subprocess
import tempfile

BRANCH = "entire/checkpoints/v1"


def edits(repository):
    """Yields each edit once: (path, original, old, new, whether all places are meant)."""
    git = ["git", "-C", repository]
    refs = subprocess.run([*git, "for-each-ref", "--format=%(refname)"], capture_output=True, text=True, check=True).stdout.split()
    ref = next(ref for ref in refs if ref.endswith(BRANCH))
    listed = subprocess.run([*git, "ls-tree", "-r", ref], capture_output=True, text=True, check=True).stdout.splitlines()
    blobs = sorted({line.split()[2] for line in listed if line.endswith("full.jsonl")})
    known = set()
    for blob in blobs:
        # A clone may lack its largest files.
        transcript = subprocess.run([*git, "cat-file", "blob", blob], capture_output=True).stdout
        for line in transcript.splitlines():
            if b'"originalFile"' not in line or b'"oldString"' not in line:
                continue
            try:
                result = json.loads(line).get("toolUseResult")
            except ValueError:
                continue
            if not isinstance(result, dict) or not isinstance(result.get("originalFile"), str):
                continue
            path, original, old, new = (result.get(key) for key in ("filePath", "originalFile", "oldString", "newString"))
            if not all(isinstance(it, str) for it in (path, old, new)) or not old or old not in original:
                continue
            edit = (pathlib.PurePosixPath(path).name, original, old, new, bool(result.get("replaceAll")))
            digest = hashlib.sha256(repr(edit).encode("utf-8", "surrogatepass")).digest()
            if digest not in known:
                known.add(digest)
                yield edit


def made(binary, folder, number, edit):
    """Applies one edit; returns what came of it, and the code of a refusal."""
    path, original, old, new, every = edit
    name = f"{number}/{path}"
    file = folder / name
    file.parent.mkdir()
    file.write_bytes(original.encode("utf-8", "surrogatepass"))
    operation = {"op": "replace", "file": name, "text": old, "content": new} | ({"all": True} if every else {})
    batch = json.dumps({"version": 1, "operations": [operation]})
    command = [binary, "apply", "--destination", "worktree", "--format", "json", "-"]
    done = subprocess.run(command, cwd=folder, input=batch.encode(), capture_output=True)
    expected = original.replace(old, new) if every else original.replace(old, new, 1)
    found = file.read_bytes()
    file.unlink()
    if done.returncode == 0:
        wanted = expected.encode("utf-8", "surrogatepass")
        warned = any(warning["code"] == "text-not-found" for warning in json.loads(done.stdout)["operations"][0]["warnings"])
        words = lambda text: [line for line in text.splitlines() if line.strip()]
        if found == wanted:
            return "same bytes", None, done
        if not new.strip() and words(found) == words(wanted):
            return "same bytes but for the empty line that a deleted text leaves", None, done
        return ("places inside of words left, and told" if warned else "other bytes"), None, done
    if found != original.encode("utf-8", "surrogatepass"):
        return "changed and refused", None, done
    try:
        errors = json.loads(done.stdout)["errors"]
        return "refused", errors[0]["code"], done
    except (ValueError, KeyError, IndexError):
        return "failed", None, done


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("repository")
    arguments.add_argument("--binary", default="target/release/git-segedit")
    arguments.add_argument("--most", type=int, default=None, help="no more edits than this")
    arguments.add_argument("--show", type=int, default=0, help="show so many of what is not the same bytes")
    arguments.add_argument("--only", default=None, help="show those of this code alone")
    given = arguments.parse_args()
    binary = os.path.abspath(given.binary)
    every = list(edits(given.repository))[: given.most]
    outcomes, codes, shown = collections.Counter(), collections.Counter(), 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "0"], cwd=folder, check=True)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            numbered = enumerate(every)
            for edit, (outcome, code, done) in zip(every, pool.map(lambda it: made(binary, folder, *it), numbered)):
                outcomes[outcome] += 1
                if code:
                    codes[code] += 1
                if outcome != "same bytes" and shown < given.show and given.only in (None, code):
                    shown += 1
                    message = json.loads(done.stdout)["errors"][0]["message"] if code else done.stdout.decode()
                    print(f"--- {outcome} {code} {edit[0]}: {message}\n<<<<\n{edit[2]}\n====\n{edit[3]}\n>>>>")
    print(f"{len(every)} edits, {sum(edit[4] for edit in every)} of every place")
    for outcome, count in outcomes.most_common():
        print(f"{count:6} {outcome}")
    for code, count in codes.most_common():
        print(f"{count:6} {code}")


main()
