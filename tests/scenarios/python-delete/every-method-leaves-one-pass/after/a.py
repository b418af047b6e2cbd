class Worker(Base):
    pass


def main():
    return Worker()
