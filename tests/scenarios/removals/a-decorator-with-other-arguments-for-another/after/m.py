@app.route("/z")
def z():
    return 0


def a():
    return 1
