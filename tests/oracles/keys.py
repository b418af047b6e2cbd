"""Judges edits of configuration files by what other readers of the language say.

Reads lines of JSON {"format", "op", "way", "before", "after"}; `way` is a list of keys and numbers. Prints for each line
"same", or what differs. `delete` takes the entry out of what `before` holds, `replace` puts null (TOML: 7) there, `insert`
adds the key "segedit-new" (or the item 7) behind it.

A line with "ops" is a batch on one snapshot, its contents read by the same readers: {"op", "way", "position", "content",
"keyed" (it begins with the entry's key), "flow" (it stands between brackets), "list" (its holder is a list)}.
"""

import copy
import json
import sys
import tomllib

try:
    import yaml
except ImportError:
    yaml = None


def load(kind, text):
    if kind == "json":
        return json.loads(text)
    if kind == "toml":
        return tomllib.loads(text)
    return list(yaml.load_all(text, Loader=yaml.BaseLoader))


def holder(data, way):
    for step in way[:-1]:
        data = data[step]
    return data


def expected(data, op, way, kind):
    data = copy.deepcopy(data)
    around, last = holder(data, way), way[-1]
    new = "7" if kind == "yaml" else 7
    if op == "delete":
        del around[last]
    elif op == "replace":
        around[last] = new
    elif isinstance(around, list):
        around.insert(last + 1, new)
    else:
        around["segedit-new"] = new
    return data


def trimmed(data):
    """Tables that only their children implied are gone with them."""
    if isinstance(data, dict):
        inner = {key: trimmed(value) for key, value in data.items()}
        return {key: value for key, value in inner.items() if value not in ({}, [])}
    return [trimmed(item) for item in data] if isinstance(data, list) else data


def content_of(op, kind):
    """What a content says: the value, or the entries that it adds."""
    text = op["content"]
    around = ("[", "\n]") if op["list"] else ("{", "\n}")
    if op["op"] == "insert":
        if kind == "toml" and op["flow"]:
            return load(kind, "x = " + around[0] + text + around[1].strip())["x"]
        if kind == "toml":
            return load(kind, text)
        data = load(kind, around[0] + text + around[1] if op["flow"] else text + "\n")
        return data[0] if kind == "yaml" else data
    if op["keyed"]:
        data = content_of({**op, "op": "insert"}, kind)
        return data[0] if op["list"] else data[op["way"][-1]]
    if kind == "toml":
        return load(kind, "x = " + text)["x"]
    data = load(kind, text + "\n")
    return data[0] if kind == "yaml" else data


def batched(data, ops, kind, way=()):
    """What a batch makes of `data`, which stands at `way`: every place is one of the snapshot."""
    if not isinstance(data, (dict, list)):
        return data
    steps = list(range(len(data))) if isinstance(data, list) else list(data)
    new = [[] for _ in range(len(steps) + 1)]
    for op in ops:
        if op["op"] != "insert":
            continue
        at = op["way"]
        if op["position"] in ("first", "last"):
            if tuple(at) == way:
                new[0 if op["position"] == "first" else -1].append(content_of(op, kind))
        elif tuple(at[:-1]) == way:
            new[steps.index(at[-1]) + (op["position"] == "after")].append(content_of(op, kind))
    result = []
    for number, step in enumerate([*steps, None]):
        for more in new[number]:
            result += list(enumerate(more)) if isinstance(data, list) else list(more.items())
        if step is None:
            continue
        here = (*way, step)
        own = [op for op in ops if tuple(op["way"]) == here]
        if any(op["op"] == "delete" for op in own):
            continue
        swaps = [op for op in own if op["op"] == "replace"]
        result.append((step, content_of(swaps[0], kind) if swaps else batched(data[step], ops, kind, here)))
    return [value for _, value in result] if isinstance(data, list) else dict(result)


def judge_batch(row):
    kind = row["format"]
    if kind == "yaml" and yaml is None:
        return "unknown"
    before = load(kind, row["before"])
    wanted = batched(before[0] if kind == "yaml" else before, row["ops"], kind)
    try:
        after = load(kind, row["after"])
    except Exception as error:
        return f"does not parse: {error}".replace("\n", " ")
    after = after[0] if kind == "yaml" and after else after
    return "same" if repr(wanted) == repr(after) or kind == "toml" and wanted == after else "differs"


def judge(row):
    if "ops" in row:
        return judge_batch(row)
    kind = row["format"]
    if kind == "yaml" and yaml is None:
        return "unknown"
    try:
        before = load(kind, row["before"])
    except Exception:
        return "unknown"
    try:
        wanted = expected(before, row["op"], row["way"], kind)
    except (KeyError, IndexError, TypeError) as error:
        return f"no such way: {error!r}"
    try:
        after = load(kind, row["after"])
    except Exception as error:
        return f"does not parse: {error}"
    if kind == "toml":
        wanted, after = trimmed(wanted), trimmed(after)
    return "same" if json.dumps(wanted, sort_keys=True, default=str) == json.dumps(after, sort_keys=True, default=str) else "differs"


for line in sys.stdin.buffer:
    print(judge(json.loads(line)))
