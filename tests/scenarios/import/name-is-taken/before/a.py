from x import y

print(y)
