class Worker:
    async def run_once(self, orders):
        self.start()
        self.wait()

    def stop(self):
        pass
