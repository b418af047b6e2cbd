def A():
    return 1


def B():
    return 1
