class Worker:
    def process(self, data):
        return data

    def close(self):
        pass


def main():
    Worker().process(1)
