# region step
x = 1
# endregion
# region step
x = 2
# endregion
