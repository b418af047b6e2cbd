width = 1
y = width + 1
