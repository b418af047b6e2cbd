from db.model import V


def f():
    return V
