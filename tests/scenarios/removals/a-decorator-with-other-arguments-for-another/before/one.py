@app.route("/a")
@app.route("/b")
def a():
    return 1
