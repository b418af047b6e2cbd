from a import fetch

found = fetch("y")
print(found)
