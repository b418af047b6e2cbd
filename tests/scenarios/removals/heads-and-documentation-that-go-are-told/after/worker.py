from __future__ import annotations


class Worker:
    def run(self):
        return 1

    def stop(self):
        """Ends."""
        return 2
