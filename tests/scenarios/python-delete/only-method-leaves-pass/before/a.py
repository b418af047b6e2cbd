class Worker(Base):
    def process(self, data):
        return data


def main():
    return Worker()
