# region one
A = 1
# endregion
B = 2
