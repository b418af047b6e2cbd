@app.get("/old")
def old():
    return 1


def new():
    return 2
