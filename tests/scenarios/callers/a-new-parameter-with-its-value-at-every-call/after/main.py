import app
from app import core, load_it
from app.core import load


def run(other):
    other.load("of something else")
    return load(
        load("inner", buffering=0),  # twice
        encoding="utf-8",
        buffering=0,
    )


print(load_it("y", buffering=0), core.load("z", 0, "b"), app.load_it(path="p", buffering=0))
