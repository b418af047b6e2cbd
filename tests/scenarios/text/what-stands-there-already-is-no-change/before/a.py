def run(order):
    order = check(order)
    return execute(order)
