from shop.a import price


def total(orders):
    return [price(order) for order in orders]
