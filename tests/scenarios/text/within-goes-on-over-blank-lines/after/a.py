def A():
    return 2

    # more


def B():
    return 1
