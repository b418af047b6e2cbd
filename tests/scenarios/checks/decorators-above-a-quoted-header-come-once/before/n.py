@app.get(
    "/a",
)
def f():
    return 1
