def run(order):
    if order:
        return execute(order)
    return None
