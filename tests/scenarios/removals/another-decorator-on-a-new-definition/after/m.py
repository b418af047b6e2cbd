@app.post("/a")
def z():
    return 0


def a():
    return 1
