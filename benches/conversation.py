"""A conversation with `git segedit mcp`: requests as lines of JSON, answers by their number, from several threads at once."""

import json
import queue
import subprocess
import threading

REVISION = "2025-11-25"


class Conversation:
    def __init__(self, binary, folder, *options, env=None):
        command = [binary, "mcp", *options]
        self.server = subprocess.Popen(command, cwd=folder, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.writing, self.awaited, self.number = threading.Lock(), {}, 0
        threading.Thread(target=self._listen, daemon=True).start()
        client = {"name": "bench", "version": "1"}
        self.ask("initialize", {"protocolVersion": REVISION, "capabilities": {}, "clientInfo": client})
        self._say({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def call(self, tool, arguments):
        """Calls a tool; returns whether it was refused, and what it said."""
        answer = self.ask("tools/call", {"name": tool, "arguments": arguments})
        if "result" not in answer:
            return True, json.dumps(answer)
        return answer["result"].get("isError", False), "\n".join(block["text"] for block in answer["result"]["content"])

    def ask(self, method, params):
        """Sends a request and waits for its answer, a message as the server wrote it."""
        mailbox = queue.SimpleQueue()
        with self.writing:
            self.number += 1
            number = self.number
            self.awaited[number] = mailbox
        self._say({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return mailbox.get()

    def leave(self):
        self.server.stdin.close()
        self.server.wait(60)

    def _say(self, message):
        line = json.dumps(message).encode() + b"\n"
        with self.writing:
            self.server.stdin.write(line)
            self.server.stdin.flush()

    def _listen(self):
        for line in self.server.stdout:
            message = json.loads(line)
            # What has no number of ours is a sign of life.
            if (number := message.get("id")) in self.awaited:
                self.awaited.pop(number).put(message)
        for mailbox in list(self.awaited.values()):
            mailbox.put({"error": "the server is gone"})
