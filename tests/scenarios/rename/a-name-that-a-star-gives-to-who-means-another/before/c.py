def fetch():
    return 3
