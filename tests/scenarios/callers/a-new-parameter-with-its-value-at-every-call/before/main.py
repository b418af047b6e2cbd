import app
from app import core, load_it
from app.core import load


def run(other):
    other.load("of something else")
    return load(
        load("inner"),  # twice
        encoding="utf-8",
    )


print(load_it("y"), core.load("z", "b"), app.load_it(path="p"))
