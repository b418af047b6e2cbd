def nsfun():
    return 1
