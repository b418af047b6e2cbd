from model import V

print(V)
