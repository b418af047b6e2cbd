def fetch():
    return 9
