def run(items):
    return items
