def one():
    pass


# region limits
LOW = 2
# endregion
