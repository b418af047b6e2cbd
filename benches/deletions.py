"""Deletes definitions of real files by name, and asks the language's formatter whether the files are as clean as before.

    python3 benches/deletions.py LANGUAGE FOLDER [--most N] [--config FILE] [--binary PATH] [--tools FOLDER] [--show N]

LANGUAGE is python (black), go (gofmt), rust (rustfmt), javascript or typescript (prettier). FOLDER is searched for files of the language
that its formatter, with the settings in FILE, would leave as they are; in copies of those one definition each is deleted, chosen by a fixed seed, in the default mode.
Some deletions are refused (a name that two definitions have, a comment that would document another one); the rest has to be clean.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import shutil
import subprocess
import tempfile

LANGUAGES = {
    "python": ((".py",), ["black", "--check", "--quiet"]),
    "go": ((".go",), ["gofmt", "-l"]),
    "rust": ((".rs",), ["rustfmt", "--check", "--edition", "2024", "--config", "skip_children=true"]),
    "javascript": ((".js", ".mjs", ".cjs"), ["prettier", "--check"]),
    "typescript": ((".ts",), ["prettier", "--check"]),
}


def dirty(command, files, tools):
    """Returns those of `files` that the formatter would change or cannot read."""
    environment = os.environ | {"PATH": f"{tools}/bin:{tools}/venv/bin:{tools}/node/node_modules/.bin:{os.environ['PATH']}"}

    def judge(file):
        done = subprocess.run([*command, file], capture_output=True, text=True, env=environment, cwd=file.parent)
        return done.returncode != 0 or (command[0] == "gofmt" and bool(done.stdout))

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return {file for file, is_dirty in zip(files, pool.map(judge, files)) if is_dirty}


def definitions(binary, file):
    """Returns the addresses of what can be deleted."""
    done = subprocess.run([binary, "outline", file.name, "--format", "json"], cwd=file.parent, capture_output=True)
    if done.returncode != 0:
        return []
    found = json.loads(done.stdout)
    return [segment["address"] for told in found for segment in told["segments"]]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("language", choices=LANGUAGES)
    arguments.add_argument("folder", type=pathlib.Path)
    arguments.add_argument("--most", type=int, default=1000)
    arguments.add_argument("--config", type=pathlib.Path, help="the project's own settings of the formatter, such as .prettierrc.json")
    arguments.add_argument("--binary", default="target/release/git-segedit")
    arguments.add_argument("--tools", default="target/tools", help="where tests/tools/install.py put the formatters")
    arguments.add_argument("--show", type=int, default=5)
    given = arguments.parse_args()
    binary, tools = os.path.abspath(given.binary), os.path.abspath(given.tools)
    endings, command = LANGUAGES[given.language]
    chance = random.Random(1)
    paths = sorted(path for path in given.folder.rglob("*") if path.suffix in endings and path.is_file() and path.stat().st_size < 200_000)
    chance.shuffle(paths)
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        run = lambda *words: subprocess.run(words, cwd=folder, check=True, capture_output=True)
        run("git", "init", "-q")
        run("git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "0")
        if given.config:
            shutil.copyfile(given.config, folder / given.config.name)
        copies = []
        for number, path in enumerate(paths[: given.most * 2]):
            copy = folder / str(number) / path.name
            copy.parent.mkdir()
            shutil.copyfile(path, copy)
            copies.append(copy)
        unclean = dirty(command, copies, tools)
        clean = [copy for copy in copies if copy not in unclean]
        codes, edited = collections.Counter(), []
        rounds = max(1, -(-given.most // max(1, len(clean))))
        for file in clean:
            addresses = definitions(binary, file)
            chance.shuffle(addresses)
            for number, address in enumerate(addresses[:rounds]):
                copy = file.parent / str(number) / file.name
                copy.parent.mkdir()
                shutil.copyfile(file, copy)
                name = str(copy.relative_to(folder))
                operation = {"op": "delete", "file": name, "symbol": address.split("::", 1)[1]}
                batch = json.dumps({"version": 1, "operations": [operation]}).encode()
                words = [binary, "apply", "--destination", "worktree", "--format", "json", "-"]
                done = subprocess.run(words, cwd=folder, input=batch, capture_output=True)
                if done.returncode == 0 and copy.stat().st_size == 0:
                    # Not every formatter takes an empty file for a clean one.
                    codes["file left empty"] += 1
                elif done.returncode == 0:
                    edited.append((copy, address, file))
                else:
                    codes[json.loads(done.stdout)["errors"][0]["code"]] += 1
                if len(edited) >= given.most:
                    break
            if len(edited) >= given.most:
                break
        unclean = dirty(command, [copy for copy, _, _ in edited], tools)
        for copy, address, file in [it for it in edited if it[0] in unclean][: given.show]:
            shown = subprocess.run(["diff", "-u3", file, copy], capture_output=True, text=True).stdout
            print(f"--- {address}\n{shown[:1500]}")
        print(f"{given.language}: {len(clean)} files as {command[0]} has them, {len(edited)} deletions, {len(unclean)} of them unclean afterwards")
        for code, count in codes.most_common():
            print(f"  not judged: {count} {code}")


main()
