"""Module."""

"""
old = 2
"""
# Not used:
"""
old = 3
"""
f"""no {text}"""
