def fetch(path):
    return "😀", fetch
