class Worker:
    def run(self):
        timeout = 5
        return timeout

    # Stops it.
    def stop(self):
        return None
