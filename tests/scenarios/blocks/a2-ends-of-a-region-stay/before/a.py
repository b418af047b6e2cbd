# region one
A = 1
# endregion
# About B.
B = 2
