class Worker(Base):
    """Works."""


def main():
    return Worker()
