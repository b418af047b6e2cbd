def process():
    return 1
