# old
x = 1
