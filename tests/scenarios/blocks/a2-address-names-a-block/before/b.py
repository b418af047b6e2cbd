x = 1
# region limits
x = 1
# endregion
