x = 1
# region limits
x = 2
# endregion
