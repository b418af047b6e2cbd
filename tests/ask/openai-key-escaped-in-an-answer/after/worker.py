class Worker:
    def run(self):
        timeout = '[key]'
        return timeout

    # Stops it.
    def stop(self):
        return None
