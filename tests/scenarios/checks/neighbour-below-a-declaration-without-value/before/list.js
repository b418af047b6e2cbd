var state
[1, 2].forEach(go)
