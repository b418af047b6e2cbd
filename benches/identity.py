"""Replaces each segment of real files by what `show` prints of it: the file has to stay as it is.

    python3 benches/identity.py FOLDER [--dedent] [--most N] [--binary PATH] [--show N]

FOLDER is a repository; all files in it that `outline` reads are taken, or `--most` segments of them, chosen by a fixed seed. With `--dedent`
the indentation that all lines of a segment share is taken off first, as somebody would who writes it anew: what then differs is the inside of
a string, which keeps its bytes, or a fault. Nothing is published.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import subprocess
import textwrap


def run(binary, folder, *arguments, content=None):
    return subprocess.run([binary, *arguments], cwd=folder, input=content, capture_output=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", type=pathlib.Path)
    arguments.add_argument("--dedent", action="store_true")
    arguments.add_argument("--most", type=int)
    arguments.add_argument("--binary", default="target/release/git-segedit")
    arguments.add_argument("--show", type=int, default=10)
    given = arguments.parse_args()
    binary = os.path.abspath(given.binary)
    told = run(binary, given.folder, "outline", "--format", "json", ".")
    if told.returncode != 0:
        raise SystemExit(told.stderr.decode())
    segments = [segment for file in json.loads(told.stdout) for segment in file["segments"]]
    if given.most and len(segments) > given.most:
        segments = random.Random(1).sample(segments, given.most)

    def judge(segment):
        address = segment["address"]
        shown = run(binary, given.folder, "show", "--quiet", address)
        content = shown.stdout
        if shown.returncode != 0:
            return "not shown", shown.stderr.decode(errors="replace")
        if given.dedent:
            try:
                content = textwrap.dedent(content.decode()).encode()
            except UnicodeDecodeError:
                return "no text", ""
        options = ["--content-file", "-", "--destination", "worktree", "--dry-run", "--format", "json", "--diff"]
        done = run(binary, given.folder, "replace", address, *options, content=content)
        report = json.loads(done.stdout)
        if report["status"] == "unchanged":
            return "unchanged", ""
        if done.returncode == 0:
            return "changed", "".join(file.get("diff") or "" for file in report["files"])
        return "refused", done.stderr.decode(errors="replace") or json.dumps(report["errors"])[:600]

    counts, shown = collections.Counter(), 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for segment, (verdict, why) in zip(segments, pool.map(judge, segments)):
            counts[verdict] += 1
            if verdict != "unchanged" and shown < given.show:
                print(f"{verdict}: {segment['address']}\n{textwrap.indent(why[:1500], '  ')}")
                shown += 1
    print(f"{len(segments)} segments: {', '.join(f'{count} {verdict}' for verdict, count in sorted(counts.items()))}")


if __name__ == "__main__":
    main()
