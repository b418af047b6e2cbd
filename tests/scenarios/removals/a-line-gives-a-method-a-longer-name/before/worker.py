class Worker:
    def run(self):
        self.start()
        self.wait()

    def stop(self):
        pass
