from .cfg import X


def V():
    return X
