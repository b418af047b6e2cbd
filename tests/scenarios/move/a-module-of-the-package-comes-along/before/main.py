from app.impl import Http
print(Http().go())
