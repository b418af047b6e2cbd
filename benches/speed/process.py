"""Runs whole processes: how long they took, and how much memory they held at most."""

import ctypes
import os
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BRANCH = "main"
PR_SET_CHILD_SUBREAPER = 36


def environment(home):
    """Returns an environment with a home and an identity of its own, and nothing else of the user's but the `PATH`."""
    person = {"NAME": "Bench", "EMAIL": "bench@example.org"}
    names = {f"GIT_{role}_{part}": value for role in ("AUTHOR", "COMMITTER") for part, value in person.items()}
    return names | {"PATH": os.environ["PATH"], "HOME": home, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8"}


def target_folder():
    """Returns cargo's target folder; a relative one is taken from the root."""
    return os.path.join(ROOT, os.environ.get("CARGO_TARGET_DIR", "target"))


def built():
    """Builds the release binary as its users have it and returns its path."""
    # Alone: another package in the same call could switch features on that its users do not have.
    subprocess.run(["cargo", "build", "--release", "--bin", "git-segedit"], cwd=ROOT, check=True)
    return os.path.join(target_folder(), "release", "git-segedit")


def timed(command, env, output=None):
    """Returns the milliseconds that passed and those that a processor worked; a failure ends the program.

    What the command says goes to the file `output`, if one is named. It is spawned, not forked: to fork a large Python
    would be charged to every peer alike and bring their ratios together."""
    with tempfile.TemporaryFile() if output is None else open(output, "w+b") as said:
        actions = [(os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0)]
        actions += [(os.POSIX_SPAWN_DUP2, said.fileno(), stream) for stream in (1, 2)]
        start = time.perf_counter()
        pid = os.posix_spawnp(command[0], command, env, file_actions=actions)
        _, status, usage = os.wait4(pid, 0)
        spent = time.perf_counter() - start
        if code := os.waitstatus_to_exitcode(status):
            said.seek(0)
            sys.exit(f"{shown(command)}\nfailed with {code}:\n{said.read().decode(errors='replace')}")
    return spent * 1000, (usage.ru_utime + usage.ru_stime) * 1000


def peak_memory(command, env):
    """Returns the most KiB that the command, or a process that it started, held at once.

    A process inherits the peak of whoever became it, and a Python's is larger than what is measured here. So a small
    shell forks the command and ends; the orphan comes to us, and only then is let go."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    gate, opener = os.pipe()
    line = f'{{ read go; exec "$@" </dev/null; }} <&{gate} >/dev/null 2>&1 & echo $!'
    shell = subprocess.run(
        ["sh", "-c", line, "sh", *command], env=env, capture_output=True, text=True, check=True, pass_fds=[gate]
    )
    os.write(opener, b"\n")
    _, status, usage = os.wait4(int(shell.stdout), 0)
    os.close(gate)
    os.close(opener)
    if code := os.waitstatus_to_exitcode(status):
        sys.exit(f"{shown(command)}\nfailed with {code} when its memory was measured")
    return usage.ru_maxrss


def shown(command):
    line = " ".join(command)
    return line if len(line) < 500 else line[:500] + " …"
