"""Real edits of language models, made again by git segedit: the same bytes, or a refusal that says why.

    python3 benches/model_edits.py REPOSITORY [--server] [--ledger] [--varied] [--drafts] [--binary PATH] [--most N] [--show N]

REPOSITORY is a clone of github.com/entireio/cli (branch `entire/checkpoints/v1`): 688 transcripts, in which each edit
stands with the file that it was made on. Nothing of them is kept. Each edit is one operation file (`replace` by `text`, `all: true`
where the model meant every place), applied in the default mode to a scratch repository, and the file is compared with what the
transcript's own tool made of it.

`--server` makes each as a call of `segedit_edit` of one `git segedit mcp`, two calls at a time, another server after every
thousand. `--ledger`, with it, makes each again as the changed lines `within` the segment that the answer names, and as a
`segedit_replace` of that whole segment, and counts the characters that a model has to write for each: the content, what it
quotes, and the address.

`--varied` makes each edit once more, as a call in one of the ways in which clients and models write one otherwise: arguments as text, `""` for
what is not given, other names for the arguments, an absolute path, a list of edits, a file of CRLF, the last line break left out, blanks
for tabs, a fence around the content. Each has to come to the same file, or to be refused; what comes to another file is counted apart.

`--drafts` makes the edits of each transcript, as long as the files are as the edit before left them, as calls that share a draft,
publishes that as one commit, and compares the files in it with those of the transcript.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import tempfile

from conversation import Conversation

BRANCH = "entire/checkpoints/v1"
# Calls of one server.
CALLS = 1000
SAME = "same bytes"


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


class Served:
    """The edits as calls of a server."""

    def __init__(self, binary, folder, keeps_ledger):
        self.binary, self.folder, self.keeps_ledger = binary, folder, keeps_ledger
        self.ledger, self.outcomes, self.others = [], collections.Counter(), []

    def __enter__(self):
        self.conversation = Conversation(self.binary, self.folder)
        return self

    def __exit__(self, *_):
        self.conversation.leave()

    def made(self, number, edit):
        """Makes one edit; returns what came of it, the code of a refusal, and the answer."""
        path, original, old, new, every = edit
        name = f"{number}/{path}"
        file = self.folder / name
        file.parent.mkdir()
        before = original.encode("utf-8", "surrogatepass")
        file.write_bytes(before)
        arguments = {"path": name, "old": old, "new": new} | ({"all": True} if every else {})
        refused, said = self.conversation.call("segedit_edit", arguments)
        expected = original.replace(old, new) if every else original.replace(old, new, 1)
        wanted, found = expected.encode("utf-8", "surrogatepass"), file.read_bytes()
        if self.keeps_ledger and not refused and found == wanted and not every:
            self.enter(name, file, edit, said, wanted)
        file.unlink()
        if refused:
            return ("refused" if found == before else "changed and refused"), said.split(":")[0], said
        if found == wanted:
            return SAME, None, said
        if found in elsewhere(edit):
            return "other place", None, said
        return "other bytes", None, said

    def enter(self, name, file, edit, said, wanted):
        """Makes the edit in the two other ways, and enters what each costs."""
        path, original, old, new, _ = edit
        named = re.match(rf"edited {re.escape(name)}::(.+?)  batch ", said)
        if not named:
            self.outcomes["in no segment, or in several"] += 1
            return
        file.write_bytes(original.encode("utf-8", "surrogatepass"))
        target = f"{name}::{named[1]}"
        refused, shown = self.conversation.call("segedit_show", {"target": target})
        segment = shown.partition("\n")[2]
        if refused or old not in segment or segment not in original:
            self.outcomes["not wholly inside of its segment, or too long to be shown"] += 1
            return
        quoted, written = changed_lines(segment, old, new)
        within = {"path": name, "within": named[1], "old": quoted, "new": written}
        by_lines = self.came_of(file, "segedit_edit", within, wanted)
        file.write_bytes(original.encode("utf-8", "surrogatepass"))
        whole = segment.replace(old, new, 1)
        as_a_whole = self.came_of(file, "segedit_replace", {"target": target, "content": whole}, wanted)
        self.outcomes[f"the changed lines: {by_lines}"] += 1
        self.outcomes[f"the whole segment: {as_a_whole}"] += 1
        if by_lines == as_a_whole == SAME:
            address = len(path) + len("::") + len(named[1])
            self.ledger.append((len(path) + len(old) + len(new), address + len(whole), address + len(quoted) + len(written)))

    def came_of(self, file, tool, arguments, wanted):
        refused, said = self.conversation.call(tool, arguments)
        if refused:
            return f"refused, {said.split(':')[0]}"
        if file.read_bytes() == wanted:
            return SAME
        if file.read_bytes().split() == wanted.split():
            return "other white space"
        self.others.append((tool, arguments, said))
        return "other bytes"

    def print_ledger(self):
        for outcome, count in sorted(self.outcomes.items()):
            print(f"{count:6} {outcome}")
        ways = ("as sent, by text", "the whole segment, by name", "the changed lines, within the segment")
        for way, costs in zip(ways, zip(*self.ledger)):
            ordered = sorted(costs)
            print(f"{sum(costs):10} characters, median {ordered[len(costs) // 2]:5}, of {len(costs)} edits: {way}")


def ways(folder, name, edit):
    """Yields each other way to write an edit: its name, the arguments, the file before and after it."""
    _, original, old, new, every = edit
    before = original.encode("utf-8", "surrogatepass")
    after = (original.replace(old, new) if every else original.replace(old, new, 1)).encode("utf-8", "surrogatepass")
    plain = {"path": name, "old": old, "new": new}
    yield "arguments as text", plain | {"all": "true" if every else "false"}, before, after
    said = {"all": every}
    yield "nothing for what is not given", plain | said | {"within": "", "draft": None, "expect": ""}, before, after
    yield "other names", {"file_path": name, "old_string": old, "new_string": new, "replace_all": every}, before, after
    yield "an absolute path", plain | said | {"path": str(folder / name)}, before, after
    one = {"old_string": old, "new_string": new} | ({"replace_all": True} if every else {})
    yield "a list of edits", {"path": name, "edits": [one]}, before, after
    if b"\r" not in before:
        yield "a file of CRLF", plain | said, before.replace(b"\n", b"\r\n"), after.replace(b"\n", b"\r\n")
    if old.endswith("\n") and new.endswith("\n") and old.strip() and new.strip():
        yield "the last line break left out", plain | said | {"old": old[:-1], "new": new[:-1]}, before, after
    if "\t" in old:
        blanks = {"old": old.replace("\t", "    "), "new": new.replace("\t", "    ")}
        yield "blanks for tabs", plain | said | blanks, before, after
    if "```" not in old + new and new.strip():
        fenced = f"```\n{new}{'' if new.endswith(chr(10)) else chr(10)}```"
        yield "a fence around the content", plain | said | {"new": fenced}, before, after


def varied(binary, folder, every, show):
    """Makes each edit in one other way, the next one in the next; returns a count for each way and what came of it."""
    outcomes = collections.Counter()
    for start in range(0, len(every), CALLS):
        conversation = Conversation(binary, folder)

        def make(number):
            name = f"{number}/{every[number][0]}"
            (folder / name).parent.mkdir()
            given = list(ways(folder, name, every[number]))
            way, arguments, before, after = given[number % len(given)]
            (folder / name).write_bytes(before)
            refused, said = conversation.call("segedit_edit", arguments)
            found = (folder / name).read_bytes()
            (folder / name).unlink()
            if refused:
                return way, "changed and refused" if found != before else f"refused: {said.split(':')[0]}", said
            return way, SAME if found == after else "other bytes", said

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for way, outcome, said in pool.map(make, range(start, min(start + CALLS, len(every)))):
                outcomes[way, outcome] += 1
                if outcome != SAME and show > 0:
                    show -= 1
                    print(f"--- {way}: {outcome}: {said}")
        conversation.leave()
    return outcomes


def runs(every):
    """Yields the edits that were made in one go: each file as the edit before left it."""
    run, files = [], {}
    for edit in every:
        path, original, old, new, all_places = edit
        if files.get(path, original) != original or len(run) == 40:
            yield run, files
            run, files = [], {}
        run.append(edit)
        files[path] = original.replace(old, new) if all_places else original.replace(old, new, 1)
    yield run, files


def drafted(binary, folder, every, show):
    """Makes the edits of each run in one draft; returns what came of the drafts, and how many edits they have."""
    outcomes, edits_in = collections.Counter(), collections.Counter()
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    for number, (run, files) in enumerate(runs(every)):
        home = folder / str(number)
        home.mkdir()
        for path, original, *_ in reversed(run):
            (home / path).write_bytes(original.encode("utf-8", "surrogatepass"))
        subprocess.run([*git, "add", "-A"], cwd=folder, check=True)
        subprocess.run([*git, "commit", "-qm", "before"], cwd=folder, check=True)
        conversation = Conversation(binary, folder, env=os.environ | dict.fromkeys(("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"), "a") | dict.fromkeys(("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"), "a@b"))
        refused = []
        for path, _, old, new, all_places in run:
            arguments = {"path": f"{number}/{path}", "old": old, "new": new, "draft": "d"} | ({"all": True} if all_places else {})
            failed, said = conversation.call("segedit_edit", arguments)
            refused += [said] if failed else []
        failed, said = (False, "") if len(refused) == len(run) else conversation.call("segedit_apply", {"draft": "d", "message": "after"})
        conversation.leave()
        if refused or failed:
            outcome = "an edit refused" if refused else "refused when it is published"
        else:
            of_commit = lambda path: subprocess.run([*git, "show", f"HEAD:{number}/{path}"], cwd=folder, capture_output=True).stdout
            same = all(of_commit(path) == text.encode("utf-8", "surrogatepass") for path, text in files.items())
            outcome = "one commit, the same files" if same else "other bytes"
        if outcome != "one commit, the same files" and show > 0:
            show -= 1
            print(f"--- {outcome}: {(refused or [said])[0]}")
        outcomes[outcome] += 1
        edits_in[outcome] += len(run)
        subprocess.run([*git, "checkout", "-q", "--", "."], cwd=folder)
    return outcomes, edits_in


def elsewhere(edit):
    """Returns what the file would be if another place than the first had been edited."""
    _, original, old, new, _ = edit
    starts = [found.start() for found in re.finditer(f"(?={re.escape(old)})", original)]
    texts = [original[:start] + new + original[start + len(old) :] for start in starts]
    return {text.encode("utf-8", "surrogatepass") for text in texts}


def changed_lines(segment, old, new):
    """Returns the lines in which `old` and `new` differ, with as many of those around them as it takes to be quoted once."""
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    same = 0
    while same < min(len(before), len(after)) and before[same] == after[same]:
        same += 1
    tail = 0
    while tail < min(len(before), len(after)) - same and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    while True:
        quoted = "".join(before[same : len(before) - tail])
        if quoted.strip() and segment.count(quoted) == 1 or (same, tail) == (0, 0):
            return quoted, "".join(after[same : len(after) - tail])
        if tail:
            tail -= 1
        else:
            same -= 1


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("repository")
    arguments.add_argument("--binary", default="target/release/git-segedit")
    arguments.add_argument("--most", type=int, default=None, help="no more edits than this")
    arguments.add_argument("--show", type=int, default=0, help="show so many of what is not the same bytes")
    arguments.add_argument("--only", default=None, help="show those of this code alone")
    arguments.add_argument("--server", action="store_true", help="by calls of a server")
    arguments.add_argument("--ledger", action="store_true", help="with --server: count characters too")
    arguments.add_argument("--varied", action="store_true", help="each edit in one other way to write it")
    arguments.add_argument("--drafts", action="store_true", help="the edits of one go as one draft")
    given = arguments.parse_args()
    binary = os.path.abspath(given.binary)
    every = list(edits(given.repository))[: given.most]
    outcomes, codes, shown = collections.Counter(), collections.Counter(), 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "0"], cwd=folder, check=True)
        if given.varied:
            for (way, outcome), count in sorted(varied(binary, folder, every, given.show).items()):
                print(f"{count:6} {way}: {outcome}")
            return
        if given.drafts:
            drafts, edits_in = drafted(binary, folder, every, given.show)
            for outcome, count in drafts.most_common():
                print(f"{count:6} drafts of {edits_in[outcome]} edits: {outcome}")
            return
        served = Served(binary, folder, given.ledger)
        made_all = by_server(served, every) if given.server else by_commands(binary, folder, every)
        for edit, (outcome, code, said) in zip(every, made_all):
            outcomes[outcome] += 1
            if code:
                codes[code] += 1
            if outcome != "same bytes" and shown < given.show and given.only in (None, code):
                shown += 1
                print(f"--- {outcome} {code} {edit[0]}: {said}\n<<<<\n{edit[2]}\n====\n{edit[3]}\n>>>>")
    print(f"{len(every)} edits, {sum(edit[4] for edit in every)} of every place")
    for outcome, count in outcomes.most_common():
        print(f"{count:6} {outcome}")
    for code, count in codes.most_common():
        print(f"{count:6} {code}")
    if given.ledger:
        for tool, arguments, said in served.others[: given.show]:
            print(f"--- other bytes, {tool} {json.dumps(arguments)}: {said}")
        served.print_ledger()


def by_commands(binary, folder, every):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for outcome, code, done in pool.map(lambda it: made(binary, folder, *it), enumerate(every)):
            yield outcome, code, json.loads(done.stdout)["errors"][0]["message"] if code else done.stdout.decode()


def by_server(served, every):
    numbered = list(enumerate(every))
    for start in range(0, len(numbered), CALLS):
        with served, concurrent.futures.ThreadPoolExecutor(2) as pool:
            yield from pool.map(lambda it: served.made(*it), numbered[start : start + CALLS])


main()
