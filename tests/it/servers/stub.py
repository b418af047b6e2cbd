"""A language server that knows words and nothing else: a word is defined where `function`, `class` or `const` is before it, and is used wherever it
stands in a file of JavaScript. Its first argument says how it misbehaves.
"""

import json
import os
import pathlib
import re
import sys
import time
import urllib.parse

HOW = sys.argv[1]
ROOT = pathlib.Path.cwd()
SHOWN = {}
ASKED = {}
WAITING = []


def say(message):
    data = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
    sys.stdout.buffer.flush()


def hear():
    length = 0
    while True:
        line = sys.stdin.buffer.readline()
        if not line:
            sys.exit(0)
        if line == b"\r\n":
            return json.loads(sys.stdin.buffer.read(length))
        name, value = line.split(b":", 1)
        if name.lower() == b"content-length":
            length = int(value)


def text_of(path):
    uri = (ROOT / path).as_uri()
    return SHOWN.get(uri) if uri in SHOWN else (ROOT / path).read_text()


def place(path, start, end):
    def position(offset):
        before = text_of(path)[:offset]
        line = before.count("\n")
        return {"line": line, "character": len(before) - (before.rfind("\n") + 1)}

    return {"uri": (ROOT / path).as_uri(), "range": {"start": position(start), "end": position(end)}}


def word_at(parameters):
    path = pathlib.Path(urllib.parse.unquote(parameters["textDocument"]["uri"][len("file://"):])).relative_to(ROOT)
    text = text_of(path)
    position = parameters["position"]
    start = sum(len(line) + 1 for line in text.split("\n")[: position["line"]]) + position["character"]
    return re.match(r"\w+", text[start:]).group(), text[:start].endswith('"')


def uses(word):
    files = {path.relative_to(ROOT) for path in ROOT.rglob("*.js")}
    for path in sorted(files):
        for found in re.finditer(rf"\b{word}\b", text_of(path)):
            line = text_of(path)[: found.start()].rsplit("\n", 1)[-1]
            if "//" not in line and not line.endswith(("?.", '"')):
                yield path, found.start(), found.end()


def definitions(word):
    return [
        place(path, start, end)
        for path, start, end in uses(word)
        if re.search(r"(function|class|const) $", text_of(path)[:start])
    ]


def renamed(parameters):
    to = parameters["newName"]
    places = [place(*found) for found in uses(word_at(parameters)[0])]
    ASKED["rename"] = ASKED.get("rename", 0) + 1
    if HOW == "early":
        # Until it has read all it knows one file, and says so if one listens.
        if ASKED["rename"] == 1:
            say({"method": "$/progress", "params": {"token": 7, "value": {"kind": "begin", "title": "reading"}}})
            places = places[:1]
            WAITING.append(time.monotonic() + 0.6)
    elif HOW == "leaves":
        places = [found for found in places if "b.js" not in found["uri"]]
    elif HOW == "outside":
        places.append({"uri": "file:///etc/passwd", "range": places[0]["range"]})
    elif HOW == "shifted":
        for found in places:
            found["range"]["start"]["character"] += 1
    elif HOW == "beyond":
        places[0]["range"]["end"]["line"] = 1000
    elif HOW == "more":
        to += " /* sic */"
    elif HOW == "creates":
        uri = (ROOT / "new.js").as_uri()
        return {"documentChanges": [{"kind": "create", "uri": uri}]}
    changes = {}
    for found in places:
        changes.setdefault(found["uri"], []).append({"range": found["range"], "newText": to})
    return {"changes": changes}


def wrong(uri):
    """What is wrong in a file: c.js needs a function of the old name, b.js is wrong whatever happens."""
    ASKED["wrong"] = ASKED.get("wrong", 0) + 1
    name = uri.rsplit("/", 1)[-1]
    text = text_of(name)
    if name == "b.js":
        yield 1, "old", text, text.index("size")
    if name == "c.js" and not definitions("lo" "ad"):
        yield 1, "new", text, text.index("needs")
        yield 2, "hint", text, 0


def position(text, offset):
    before = text[:offset]
    return before.count("\n"), len(before) - (before.rfind("\n") + 1)


def pulled(uri):
    for severity, code, text, offset in wrong(uri):
        line, character = position(text, offset)
        start = {"line": line, "character": character}
        words = f"{code} fault in\n {ROOT}/x"
        yield {"range": {"start": start, "end": start}, "severity": severity, "code": code, "message": words}


def of_tsserver(uri):
    for severity, code, text, offset in wrong(uri):
        line, character = position(text, offset)
        start = {"line": line + 1, "offset": character + 1}
        category = ["", "error", "warning"][severity]
        yield {"start": start, "end": start, "category": category, "code": 7, "text": f"{code} fault in\n {ROOT}/x"}


def answer(message):
    method, parameters = message["method"], message.get("params")
    if method == "initialize":
        if HOW == "ends":
            print("no licence found", file=sys.stderr)
            sys.exit(3)
        if HOW in ("pulls", "forgets"):
            return {"capabilities": {"renameProvider": True, "diagnosticProvider": {}}}
        if HOW == "tsserver":
            return {"capabilities": {"executeCommandProvider": {"commands": ["typescript.tsserverRequest"]}}}
        return {"capabilities": {"renameProvider": True}}
    if method == "textDocument/diagnostic":
        if HOW == "forgets" and not definitions("lo" "ad"):
            return None
        return {"kind": "full", "resultId": str(ASKED.get("wrong")), "items": list(pulled(parameters["textDocument"]["uri"]))}
    if method == "workspace/executeCommand":
        request, given = parameters["arguments"]
        if parameters["command"] == "typescript.tsserverRequest" and request == "semanticDiagnosticsSync":
            return {"seq": ASKED.get("wrong"), "body": list(of_tsserver(given["file"]))}
    if method == "textDocument/rename":
        if HOW == "crashes":
            print("panic: index out of range", file=sys.stderr)
            os.kill(os.getpid(), 11)
        if HOW == "hangs":
            time.sleep(600)
        if HOW == "babbles":
            sys.stdout.write("hello\r\n\r\n" * 2000)
            sys.stdout.flush()
            time.sleep(600)
        if HOW == "floods":
            sys.stdout.write("Content-Length: 99999999999\r\n\r\n")
            sys.stdout.flush()
            time.sleep(600)
        if HOW == "writes":
            (ROOT / "a.js").write_text("overwritten\n")
        return renamed(parameters)
    if method == "textDocument/definition":
        word, is_text = word_at(parameters)
        if is_text or HOW == "leaves" and "b.js" in parameters["textDocument"]["uri"]:
            return None
        return definitions(word)
    if method == "textDocument/references":
        return [place(*found) for found in uses(word_at(parameters)[0])]
    return None


def main():
    while True:
        message = hear()
        method = message.get("method")
        if method == "textDocument/didOpen":
            document = message["params"]["textDocument"]
            SHOWN[document["uri"]] = document["text"]
        elif method == "textDocument/didChange":
            SHOWN[message["params"]["textDocument"]["uri"]] = message["params"]["contentChanges"][0]["text"]
        elif method == "exit":
            # What is left here was not told to go.
            pathlib.Path(os.environ["TMPDIR"], "gone").touch()
            sys.exit(0)
        elif method == "initialized" and HOW == "asks":
            say({"id": "s1", "method": "workspace/configuration", "params": {"items": [{"section": "deep.er"}]}})
            say({"id": "s2", "method": "client/registerCapability", "params": {"registrations": []}})
            say({"id": "s3", "method": "no/suchThing", "params": None})
        elif method is None and message.get("id") == "s1" and message["result"] != [{"key": [1, "two"]}]:
            print(f"other settings: {message}", file=sys.stderr)
            sys.exit(4)
        elif method is None and message.get("id") == "s3" and message["error"]["code"] != -32601:
            sys.exit(5)
        elif "id" in message and method is not None:
            if HOW == "refuses" and method == "textDocument/rename":
                say({"id": message["id"], "error": {"code": -32603, "message": "You cannot rename this element."}})
                continue
            if HOW == "pulls" and method == "textDocument/diagnostic" and not ASKED.get("wrong"):
                ASKED["wrong"] = 1
                say({"id": message["id"], "error": {"code": -32802, "message": "called off"}})
                continue
            say({"id": message["id"], "result": answer(message)})
            while WAITING:
                time.sleep(max(0, WAITING.pop() - time.monotonic()))
                say({"method": "$/progress", "params": {"token": 7, "value": {"kind": "end"}}})


main()
