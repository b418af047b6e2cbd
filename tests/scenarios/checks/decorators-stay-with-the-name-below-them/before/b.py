@app.get("/users")
def users():
    return 1
