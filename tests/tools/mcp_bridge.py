"""Offers `git segedit mcp` over HTTP on this machine, for judges that speak nothing else: each message of a client is a line to
the server, and what it writes for that is the answer.

    python3 tests/tools/mcp_bridge.py PROGRAM

Prints the address and serves until its input ends. A client that initializes gets a server of its own, told by `Mcp-Session-Id`;
one that sends each request by itself, as the revision of 2026-07-28 does, shares one with its like. The bridge reads
no more of a message than its `id` and `method`, and of an answer than the code of its error.
"""

import http.server
import json
import queue
import secrets
import subprocess
import sys
import threading

PATIENCE = 60
# What the transport over HTTP of 2026-07-28 answers errors with.
STATUS = {-32600: 400, -32601: 404, -32602: 400, -32021: 400, -32022: 400}


class Server:
    """A server's process; answers are handed to whoever waits for their id."""

    def __init__(self, program):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.process = subprocess.Popen([program, "mcp"], text=True, **pipes)
        self.waiting, self.lock = {}, threading.Lock()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            message = json.loads(line)
            with self.lock:
                answer = self.waiting.get(json.dumps(message.get("id")))
            # What the server says of itself has nobody who waits for it here.
            if answer and "method" not in message:
                answer.put(line)

    def say(self, line):
        with self.lock:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()

    def ask(self, line, number):
        answer = queue.Queue()
        key = json.dumps(number)
        with self.lock:
            self.waiting[key] = answer
        self.say(line)
        try:
            return answer.get(timeout=PATIENCE)
        finally:
            with self.lock:
                del self.waiting[key]

    def end(self):
        self.process.stdin.close()
        self.process.wait(PATIENCE)


class Bridge(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    program, sessions, shared, lock = "", {}, None, threading.Lock()

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            message = json.loads(body)
            line = json.dumps(message)
        except ValueError:
            return self.answer(400, json.dumps({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "no JSON"}}))
        session = self.headers.get("Mcp-Session-Id")
        if isinstance(message, dict) and message.get("method") == "initialize":
            session = secrets.token_hex(8)
            server = Bridge.sessions[session] = Server(Bridge.program)
        elif session:
            server = Bridge.sessions.get(session)
            if not server:
                return self.answer(404, "")
        else:
            with Bridge.lock:
                server = Bridge.shared = Bridge.shared or Server(Bridge.program)
        if not isinstance(message, dict) or "id" not in message or "method" not in message:
            server.say(line)
            return self.answer(202, "")
        answer = server.ask(line, message["id"])
        # A client with a session has 200 for every answer; without, the kind of the error is in the status.
        code = json.loads(answer).get("error", {}).get("code")
        self.answer(200 if session else STATUS.get(code, 200), answer, session)

    def do_GET(self):
        self.answer(405, "")

    def do_DELETE(self):
        server = Bridge.sessions.pop(self.headers.get("Mcp-Session-Id"), None)
        if server:
            server.end()
        self.answer(200 if server else 404, "")

    def answer(self, status, text, session=None):
        data = text.encode()
        self.send_response(status)
        if session:
            self.send_header("Mcp-Session-Id", session)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


def main():
    Bridge.program = sys.argv[1]
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Bridge) as bridge:
        threading.Thread(target=bridge.serve_forever, daemon=True).start()
        print(f"http://127.0.0.1:{bridge.server_address[1]}/mcp", flush=True)
        sys.stdin.read()
        bridge.shutdown()
    for server in [*Bridge.sessions.values(), *filter(None, [Bridge.shared])]:
        server.end()


main()
