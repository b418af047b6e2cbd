class Worker(Base):
    """Works."""

    def process(self, data):
        return data


def main():
    return Worker()
