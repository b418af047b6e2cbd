A = B = 1
C = 2
