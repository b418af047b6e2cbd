handler = None


def handler(event):
    return str(event)
