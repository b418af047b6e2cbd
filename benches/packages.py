"""Real packages, pinned, for the scripts that change them and have others judge what is left."""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile


def run(command, folder):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def fetch(work, packages, beside, ignored=()):
    """Returns the interpreter that has the packages and what is `beside` them, and the folder of each as a repository of its own.

    `packages` are requirements of pip by the name that each is imported by; files that `ignored` names are left out."""
    home = work / "python"
    python = home / "bin/python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", home], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *packages.values(), *beside], check=True)
    folders = {}
    for name in packages:
        folder = work / name
        if not folder.exists():
            site = next(home.glob("lib/python3*/site-packages"))
            left_out = shutil.ignore_patterns("__pycache__", *ignored)
            shutil.copytree(site / name, folder / name, ignore=left_out)
            git = ["git", "-C", folder, "-c", "user.name=x", "-c", "user.email=x@example.org"]
            subprocess.run([*git, "init", "-q"], check=True)
            subprocess.run([*git, "add", "-fA"], check=True)
            subprocess.run([*git, "commit", "-qm", "first"], check=True)
        folders[name] = folder
    return python, folders


def options(description, name, *flags):
    """Returns the options of a script called `name`, `flags` of its own among them, its folder made and its paths absolute."""
    parser = argparse.ArgumentParser(description=description.split("\n")[0])
    for flag, what in flags:
        parser.add_argument(flag, action="store_true", help=what)
    parser.add_argument("--most", type=int, default=40, help="so many of each package")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--binary", type=pathlib.Path, default=pathlib.Path("target/release/git-segedit"))
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()) / f"segedit-{name}")
    parser.add_argument("--show", type=int, default=5, help="so many of what is to be looked at")
    chosen = parser.parse_args()
    chosen.work.mkdir(parents=True, exist_ok=True)
    chosen.work, chosen.binary = chosen.work.resolve(), chosen.binary.resolve()
    return chosen
