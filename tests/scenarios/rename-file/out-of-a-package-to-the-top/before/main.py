import app.c

print(app.c.h())
