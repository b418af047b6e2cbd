class Worker:
    def process(self, data):
        return data


def main():
    Worker().process(1)
