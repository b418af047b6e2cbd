def price(order):
    return order


def run(order):
    return order
