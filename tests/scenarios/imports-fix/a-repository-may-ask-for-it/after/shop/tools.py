def helper(data):
    return data


def other(data):
    return data
