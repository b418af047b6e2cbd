import app.user
print(app.user.Client.err)
