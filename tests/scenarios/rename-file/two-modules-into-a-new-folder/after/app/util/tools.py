from app.util.helpers import V


def f():
    return V
