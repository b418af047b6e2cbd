from app.model import V

print(V)
