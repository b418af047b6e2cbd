def run(items):
    total = 0
    return total
