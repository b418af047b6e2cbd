def first():
    items = prepare(order)
    total = collects(items)
    return total, items


def second():
    items = prepare(order)
    total = colllect(items)
    return total, items
