def load(path, mode="r"):
    return path, mode


def run(options, paths, other):
    load(*paths)
    load("a", **options)
    other(load)
    return map(load, paths)
