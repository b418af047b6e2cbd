"""Judges edits of configuration files by what other readers of the language say.

Reads lines of JSON {"format", "op", "way", "before", "after"}; `way` is a list of keys and numbers. Prints for each line
"same", or what differs. `delete` takes the entry out of what `before` holds, `replace` puts null (TOML: 7) there, `insert`
adds the key "segedit-new" (or the item 7) behind it.
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


def judge(row):
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
