@app.route("/z")
def z():
    return 0


@app.route("/a")
def a():
    return 1
