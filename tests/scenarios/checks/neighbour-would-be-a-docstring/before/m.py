LIMIT = 1

"""The limit."""

x = 1
