class Worker:
    def start(self):
        return 1

    def stop(self):
        return 2


def main():
    return Worker()
