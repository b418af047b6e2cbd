class Worker:
    """Works."""

    def __init__(self, name):
        self.name = name

    async def process(self, data: dict) -> dict:
        validated = self.validate(data)
        return await self.execute(validated)

    def execute(self, data):
        return data
