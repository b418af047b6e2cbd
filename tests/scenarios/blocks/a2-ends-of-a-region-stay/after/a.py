# region one
A = 1
# endregion
