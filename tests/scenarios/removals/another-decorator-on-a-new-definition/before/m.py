@app.route("/a")
def a():
    return 1
