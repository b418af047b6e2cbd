def one():
    pass


# region limits
LOW = 1
# endregion
