X = 1


def close(self):
    return False
