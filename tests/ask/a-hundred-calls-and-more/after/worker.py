class Worker:
    def run(self):
        timeout = 30
        return timeout

    # Stops it.
    def stop(self):
        return None
