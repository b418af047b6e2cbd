@app.get("/users")
@login_required
def users():
    return db.users()
