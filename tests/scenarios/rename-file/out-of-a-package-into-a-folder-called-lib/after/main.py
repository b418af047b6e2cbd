import app.c

print(app.c.V)
