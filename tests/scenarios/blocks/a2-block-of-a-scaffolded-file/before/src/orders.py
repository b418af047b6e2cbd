# template=worker version=0f7309e4 created=2026-01-27T15:35Z updated=
"""The worker of orders."""

import logging
import queue
import re


class OrderWorker(Base):
    """Does the work."""

    def setup(self):
        self.ready = re.compile("x")

    def process(self, data):
        validated = self.validate(data)

        self.execute(validated)
        for row in validated:
            print(row)
        return validated


def main():
    OrderWorker().run()
