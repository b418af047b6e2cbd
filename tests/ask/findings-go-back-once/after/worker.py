class Worker:
    def run(self):
        timeout = 31
        return timeout

    # Stops it.
    def stop(self):
        return None
