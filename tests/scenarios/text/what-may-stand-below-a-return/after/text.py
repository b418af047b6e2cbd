def top():
    a()
    return """b


c = 1
"""
