"""Talks to `git segedit mcp` as the official Python client of the Model Context Protocol, and holds every line that the
server writes to the protocol's own types.

    python3 tests/tools/mcp_client.py client MODE PROGRAM STARTED
    python3 tests/tools/mcp_client.py lines PROGRAM

Runs in a repository whose `a.py` has a class `A` with a method `f` that returns 1, and where whatever changes `slow.py` is
judged by a validator that writes its process id into STARTED and never ends. MODE is `auto`, `legacy` or a revision.
`client` lists, looks, edits, undoes, is refused and cancels; `lines` speaks each revision of the protocol, line by line.
"""

import asyncio
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import mcp_types
import pydantic
from mcp import Client, StdioServerParameters
from mcp_types import methods, version

# What both sides say is written down on its way.
RECORDED = 'tee "$1" | "$0" mcp | tee "$2"'
EDIT = {"path": "a.py", "within": "A.f", "old": "return 1", "new": "return 3"}
SLOW = {"target": "slow.py::f", "part": "body", "content": "return 3"}
PATIENCE = 60


async def as_client(mode, program, started):
    with tempfile.TemporaryDirectory() as folder:
        said, heard = os.path.join(folder, "said"), os.path.join(folder, "heard")
        words = ["-c", RECORDED, program, said, heard]
        server = StdioServerParameters(command="sh", args=words, env=dict(os.environ), cwd=os.getcwd())
        async with Client(server, mode=mode) as client:
            expect(client.protocol_version == spoken(mode), f"{mode} came to speak {client.protocol_version}")
            if mode != version.LATEST_MODERN_VERSION:
                # Whoever pins a revision asks for nothing before the first call.
                expect(client.server_info.name == "git-segedit", client.server_info)
                expect("path::segment" in client.instructions, client.instructions)
            await lists(client, program)
            await edits_and_undoes(client)
            await is_refused(client)
            await cancels(client, pathlib.Path(started))
        judge(recorded(said), recorded(heard))


def spoken(mode):
    """Returns the revision that this client comes to speak with a server that knows all."""
    return version.LATEST_HANDSHAKE_VERSION if mode == "legacy" else version.LATEST_MODERN_VERSION


async def lists(client, program):
    listed = await client.list_tools()
    printed = json.loads(subprocess.run([program, "tools"], capture_output=True, check=True).stdout)["tools"]
    tools = [tool.model_dump(by_alias=True, exclude_none=True, mode="json") for tool in listed.tools]
    expect(tools == printed, f"{tools} is not what is printed")


async def edits_and_undoes(client):
    file = pathlib.Path("a.py")
    before = file.read_text()
    shown = await call(client, "segedit_show", {"target": "a.py::A.f"})
    expect("def f(self):\n        return 1" in shown, shown)
    edited = await call(client, "segedit_edit", EDIT)
    expect("-        return 1\n+        return 3" in edited, edited)
    expect(file.read_text() == before.replace("return 1", "return 3"), file.read_text())
    undone = await call(client, "segedit_history", {"action": "undo"})
    expect("-        return 3\n+        return 1" in undone, undone)
    expect(file.read_text() == before, file.read_text())


async def is_refused(client):
    for tool, arguments, words in (
        ("segedit_edit", {**EDIT, "odd": 1}, "odd"),
        ("segedit_edit", {"path": "a.py", "old": {}, "new": "x"}, "`old` of segedit_edit is one text"),
        ("segedit_show", {"target": "a.py::A.g"}, "segment-not-found"),
        ("segedit_nope", {}, "nearest: "),
    ):
        result = await client.session.call_tool(tool, arguments)
        said = text(result)
        expect(result.is_error and words in said, f"{tool} {arguments}: {said}")


async def cancels(client, started):
    """Calls off a call while its validator runs, once it was told that it does."""
    file = pathlib.Path("slow.py")
    before, told = file.read_text(), asyncio.Event()

    async def progress(done, total, message):
        expect(done > 0 and "still runs" in message, f"{done} {message}")
        if started.exists() and started.read_text():
            told.set()

    running = asyncio.create_task(client.call_tool("segedit_replace", SLOW, progress_callback=progress))
    await asyncio.wait_for(told.wait(), PATIENCE)
    running.cancel()
    await asyncio.wait([running])
    expect(running.cancelled(), "the call was not cancelled")
    await call(client, "segedit_show", {"target": "slow.py::f"})
    end = time.monotonic() + PATIENCE
    while is_running(int(started.read_text())):
        expect(time.monotonic() < end, "the validator of a cancelled call still runs")
        await asyncio.sleep(0.1)
    expect(file.read_text() == before, file.read_text())
    await edits_and_undoes(client)


def is_running(process):
    try:
        return "\nState:\tZ" not in pathlib.Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False


async def call(client, tool, arguments):
    result = await client.call_tool(tool, arguments)
    expect(not result.is_error, f"{tool} {arguments}: {text(result)}")
    return text(result)


def text(result):
    return "\n".join(block.text for block in result.content)


def by_lines(program):
    for revision in version.KNOWN_PROTOCOL_VERSIONS:
        said = list(requests(revision))
        words = "".join(f"{json.dumps(line)}\n" for line in said)
        server = subprocess.Popen([program, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        server.stdin.write(words)
        server.stdin.flush()
        awaited = {line["id"] for line in said if "id" in line}
        heard = []
        while awaited:
            heard.append(json.loads(server.stdout.readline()))
            awaited.discard(heard[-1].get("id"))
        server.stdin.close()
        heard += map(json.loads, server.stdout)
        server.wait(PATIENCE)
        judge(said, heard)


def requests(revision):
    """Yields what a client of this revision says, requests that come to nothing among them."""
    is_modern = revision in version.MODERN_PROTOCOL_VERSIONS
    client = {"name": "test", "version": "1"}
    meta = {}
    if is_modern:
        fields = {"protocolVersion": revision, "clientCapabilities": {}, "clientInfo": client}
        meta = {"_meta": {f"io.modelcontextprotocol/{key}": value for key, value in fields.items()}}
        yield request(0, "server/discover", meta)
    else:
        yield request(0, "initialize", {"protocolVersion": revision, "capabilities": {}, "clientInfo": client})
        yield {"jsonrpc": "2.0", "method": "notifications/initialized"}
        yield request(1, "ping", {})
    yield request(2, "tools/list", meta)
    for number, (tool, arguments) in enumerate(
        (
            ("segedit_outline", {"paths": ["a.py"]}),
            ("segedit_edit", {**EDIT, "check": True}),
            ("segedit_edit", {**EDIT, "odd": 1}),
            ("segedit_nope", {}),
        )
    ):
        yield request(3 + number, "tools/call", {"name": tool, "arguments": arguments, **meta})
    yield request("a text", "prompts/list", meta)
    yield request(20, "no/such", meta)
    yield request(21, "tools/call", {**meta, "arguments": {}})


def request(number, method, params):
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def recorded(path):
    return [json.loads(line) for line in pathlib.Path(path).read_text().splitlines()]


def judge(said, heard):
    """Holds each line of a server to the types of the revision that its request was made in."""
    asked = {line["id"]: line for line in said if "method" in line and "id" in line}
    agreed = next((line["result"]["protocolVersion"] for line in heard if "protocolVersion" in line.get("result", {})), None)
    wrong = []
    for line in heard:
        try:
            judge_line(line, asked, agreed)
        except (AssertionError, KeyError, pydantic.ValidationError) as error:
            wrong.append(f"{line}: {error!r}"[:2000])
    answered = [line["id"] for line in heard if "id" in line]
    expect(len(answered) == len(set(answered)), f"answered twice: {answered}")
    print(f"{len(heard)} lines, {len(wrong)} wrong")
    expect(not wrong, "\n".join(wrong))


def judge_line(line, asked, agreed):
    if "method" in line:
        mcp_types.JSONRPCNotification.model_validate(line)
        revision = agreed or version.LATEST_MODERN_VERSION
        methods.parse_server_notification(line["method"], revision, line["params"])
        return
    request = asked[line["id"]]
    meta = request.get("params", {}).get("_meta", {})
    revision = agreed or meta["io.modelcontextprotocol/protocolVersion"]
    if "error" in line:
        mcp_types.JSONRPCError.model_validate(line)
        assert set(line) == {"jsonrpc", "id", "error"} and set(line["error"]) <= {"code", "message", "data"}
        return
    mcp_types.JSONRPCResponse.model_validate(line)
    assert set(line) == {"jsonrpc", "id", "result"}
    known = methods.serialize_server_result(request["method"], revision, line["result"])
    # The types pass over keys that they do not know.
    assert known == line["result"], f"known is {known}"


def expect(holds, otherwise):
    if not holds:
        sys.exit(f"wrong: {otherwise}")


def refuses_what_is_wrong():
    """What nothing refuses proves nothing."""
    said = [request(1, "tools/list", {})]
    good = {"tools": []}
    for result in ({}, {"tools": [{"name": "n"}]}, {**good, "stray": 1}):
        try:
            judge_line({"jsonrpc": "2.0", "id": 1, "result": result}, {1: said[0]}, version.LATEST_HANDSHAKE_VERSION)
        except (AssertionError, pydantic.ValidationError):
            continue
        sys.exit(f"{result} was not refused")
    judge_line({"jsonrpc": "2.0", "id": 1, "result": good}, {1: said[0]}, version.LATEST_HANDSHAKE_VERSION)


def main():
    refuses_what_is_wrong()
    if sys.argv[1] == "client":
        asyncio.run(as_client(*sys.argv[2:]))
    else:
        by_lines(sys.argv[2])


main()
