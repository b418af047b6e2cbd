@app.get("/a")
def f():
    return 1


def g():
    return old
