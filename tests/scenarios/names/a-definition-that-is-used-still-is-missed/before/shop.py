def helper(data):
    return data


def run(data):
    return helper(data)
