from app import Http
print(Http().go())
