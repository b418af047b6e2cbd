handler = None


def handler(event):
    return event
