codes = {}


def fill():
    codes["ok"] = 200


fill()
