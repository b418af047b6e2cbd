def run(data):
    return old_trouble(data)
