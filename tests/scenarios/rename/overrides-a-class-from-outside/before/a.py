import threading


class Worker(threading.Thread):
    def run(self):
        return 1
