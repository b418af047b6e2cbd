class Worker:
    def run(self):
        timeout = 30
        return timeout
