class Worker:
    def start(self):
        return 1


def main():
    return Worker()
