"""The tables of README.md and docs/speed.md, written between markers: no figure there comes from a hand."""

import os
import re

from .figures import FOLLOWED, GROWTHS, bytes_for_a_byte, exponent, goals, goals_of_clones
from .peers import AST_GREP, AST_PEER, CACHED, CHECKED_OUT, CTAGS, FAST_IMPORT, FIRST_FIND, FLOOR, GIT_APPLY, GIT_GREP
from .peers import GIT_STATUS, GIT_VERSION, INDEX, JSON_REPORT, REDO, STATUS_AFTER, STATUS_AFTER_GIT, TOOL, UNDO, WITH_REPORT
from .peers import WORKTREE
from .process import ROOT

README_TASKS = ["one-7k", "edits-748", "batch-1000"]
OTHERS = (GIT_APPLY, AST_GREP, AST_PEER, FAST_IMPORT, CTAGS)
IN_A_CLONE = (TOOL, INDEX, CACHED, WORKTREE, UNDO, REDO, FLOOR, GIT_APPLY, STATUS_AFTER, STATUS_AFTER_GIT)


def milliseconds(time):
    if time is None:
        return ""
    return f"{time:,.0f}" if time >= 100 else f"{time:.0f}" if time >= 30 else f"{time:.1f}"


def table(figures, tasks):
    heads = ["task", "segedit", "floor", "segedit / floor", *OTHERS]
    rows = [heads, ["---", *["---:"] * (len(heads) - 1)]]
    for task in tasks:
        floor = figures.floor(task)
        if not floor or is_of_clone(task):
            continue
        tool = figures.wall(task, TOOL)
        cells = [figures.results[task]["title"], milliseconds(tool), milliseconds(floor), f"×{tool / floor:.2f}"]
        rows.append(cells + [milliseconds(figures.wall(task, peer)) for peer in OTHERS])
    return markdown(rows)


def is_of_clone(task):
    return task.startswith("clone-")


def clone_table(figures):
    rows = [["task", *IN_A_CLONE], ["---", *["---:"] * len(IN_A_CLONE)]]
    for task, result in figures.results.items():
        if is_of_clone(task):
            rows.append([result["title"], *(milliseconds(figures.wall(task, peer)) for peer in IN_A_CLONE)])
    first, again, grep, status = (
        milliseconds(figures.wall("find-clone", peer)) for peer in (FIRST_FIND, TOOL, GIT_GREP, GIT_STATUS)
    )
    said = (
        f"The first `find` of a definition in 100,000 files takes {first} ms, each after it {again} (`git grep` {grep}, `git "
        f"status` {status})."
    )
    return f"{markdown(rows)}\n\n{said}"


def markdown(rows):
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def goal_table(wanted):
    rows = [["goal", "wanted", "is", ""], ["---", "---", "---:", "---"]]
    for goal in wanted:
        rows.append([goal.words, goal.bound, f"{goal.ratio:.2f}", "met" if goal.is_met else "**missed**"])
    return markdown(rows)


def growth_table(figures):
    rows = [["cost against", *FOLLOWED], ["---", *["---:"] * len(FOLLOWED)]]
    for growth in GROWTHS:
        cells = []
        for peer in FOLLOWED:
            points = figures.series(growth, peer)
            whole, last = exponent(points), exponent(points[-2:])
            cells.append(f"{whole:.2f} ({last:.2f})" if whole is not None else "")
        rows.append([growth, *cells])
    return markdown(rows)


def own_table(figures):
    """Returns the tool's other ways beside the one that is compared."""
    ways = (TOOL, WITH_REPORT, JSON_REPORT, CHECKED_OUT)
    rows = [["task", *ways], ["---", *["---:"] * len(ways)]]
    for task, result in figures.results.items():
        if WITH_REPORT in result["wall"]:
            rows.append([result["title"], *(milliseconds(figures.wall(task, way)) for way in ways)])
    return markdown(rows)


def memory_table(figures):
    rows = [["task", "touched, KiB", "segedit, MiB", "floor, MiB", "git apply, MiB"], ["---", *["---:"] * 4]]
    for task, result in figures.results.items():
        if task.startswith("find"):
            continue
        title = f"{result['title']}, in a clone" if is_of_clone(task) else result["title"]
        floor = min((kib for peer, kib in result["memory"].items() if peer.startswith("floor")), default=None)
        cells = [result["memory"][TOOL], floor, result["memory"].get(GIT_APPLY)]
        shown = [f"{kib / 1024:.1f}" if kib else "" for kib in cells]
        rows.append([title, f"{result['touched'] / 1024:,.0f}", *shown])
    said = ""
    if figures.has("one-1k", "one-100k"):
        said = f"One edit: {figures.memory('one-1k'):.1f} MiB in 1,000 files, {figures.memory('one-100k'):.1f} MiB in 100,000."
    if figures.has("batch-1", "batch-10000"):
        said += f" A batch: {bytes_for_a_byte(figures):.1f} bytes for each byte of the files that it touches."
    return f"{said.strip()}\n\n{markdown(rows)}"


def without_floor(figures):
    """Returns what is said of the tasks that have no floor."""
    start, git = (milliseconds(figures.wall("start", peer)) for peer in (TOOL, GIT_VERSION))
    first, again, grep = (milliseconds(figures.wall("find", peer)) for peer in (FIRST_FIND, TOOL, GIT_GREP))
    return (
        f"To start and end takes {start} ms (`git --version` {git}). The first `find` of a definition in 100,000 files takes "
        f"{first} ms, each after it {again} (`git grep` {grep})."
    )


def how_measured(machine, figures):
    turns = sorted(len(result["wall"][TOOL]) for result in figures.results.values())
    runs = f"{turns[0]} to {turns[-1]}" if turns[0] < turns[-1] else str(turns[0])
    return (
        f"Milliseconds, medians of {runs} runs, whole processes; {machine['processors']} processors, {machine['system']}, "
        f"{machine['git']}, Python {machine['python']}; repositories in memory."
    )


def write(figures, machine):
    """Replaces what stands between the markers of both pages, as far as its tasks were run."""
    in_clones = {"clone-7k", "clone-100k", "clone-1000", "clone-10000", "find-clone"} - figures.results.keys()
    elsewhere = set(task for growth in GROWTHS.values() for task in growth) | set(README_TASKS) | {"find", "start"}
    elsewhere -= figures.results.keys()
    if in_clones and elsewhere:
        missing = ", ".join(sorted(in_clones | elsewhere))
        raise SystemExit(f"not written: the pages need all tasks, or all in clones, and these were not run: {missing}")
    if not in_clones:
        below = how_measured(machine, figures)
        parts = {"clone": f"{clone_table(figures)}\n\n{below}", "goals in a clone": goal_table(goals_of_clones(figures))}
        replace("docs/speed.md", parts)
    if not elsewhere:
        write_elsewhere(figures, machine)


def write_elsewhere(figures, machine):
    below = f"{without_floor(figures)}\n\n{how_measured(machine, figures)}"
    replace("README.md", {"table": f"{table(figures, README_TASKS)}\n\n{below}"})
    parts = {
        "table": f"{table(figures, figures.results)}\n\n{below}",
        "own": own_table(figures),
        "goals": goal_table(goals(figures)),
        "growth": growth_table(figures),
        "memory": memory_table(figures),
    }
    replace("docs/speed.md", parts)


def replace(page, parts):
    path = os.path.join(ROOT, page)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for name, part in parts.items():
        marked = re.compile(rf"(<!-- benches/run: {name} -->\n).*?(\n<!-- benches/run: end -->)", re.S)
        if not marked.search(text):
            raise SystemExit(f"{page} has no markers of `{name}`")
        text = marked.sub(lambda match, part=part: f"{match[1]}\n{part}\n{match[2]}", text)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
