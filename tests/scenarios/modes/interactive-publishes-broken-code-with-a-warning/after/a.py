def run(:
    return 2
