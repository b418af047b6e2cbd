def run(items):
    for item in items:
        if item:
            print(item)
    return items
