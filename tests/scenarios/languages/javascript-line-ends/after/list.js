var state = load;
[1, 2].forEach(go)
