def run(items):
    for item in items:
        print(item)
    return items
