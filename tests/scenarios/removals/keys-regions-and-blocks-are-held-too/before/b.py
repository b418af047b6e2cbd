# region one
x = 1
# endregion
y = 2
