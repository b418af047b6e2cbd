def helper(data):
    return data
