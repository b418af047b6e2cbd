state = None


def start():
    global state
    state = 1
