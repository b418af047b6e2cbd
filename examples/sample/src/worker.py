"""Workers take orders and execute them."""

import asyncio

LIMIT = 10


class Worker:
    """Takes one order at a time."""

    def __init__(self, name):
        self.name = name
        self.done = 0

    async def process(self, data):
        # The order is executed as it comes.
        return await self.execute(data)

    async def execute(self, data):
        self.done += 1
        await asyncio.sleep(0)
        return {"worker": self.name, "order": data}

    def reset(self):
        self.done = 0


def report(workers):
    for worker in workers:
        print(f"{worker.name}: {worker.done}")
