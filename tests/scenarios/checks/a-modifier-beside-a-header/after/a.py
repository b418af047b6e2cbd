class Reader(Base):
    async def read(self) -> int:
        return 1
