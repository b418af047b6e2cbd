from ..app.cfg import X


def V():
    return X
