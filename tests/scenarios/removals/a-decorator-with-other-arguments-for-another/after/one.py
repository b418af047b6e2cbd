@app.route("/c")
def a():
    return 1
