import sys as os

print(os)
