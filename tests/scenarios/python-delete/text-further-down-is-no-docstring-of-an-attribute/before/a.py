"""Module."""

VERSION = 1

"""
old = 2
"""
NAME = 2
# Not used:
"""
old = 3
"""
KIND = 3
f"""no {text}"""
